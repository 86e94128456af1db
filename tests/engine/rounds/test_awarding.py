import pytest

from engine.rounds.awarding import award, may_capture
from engine.rounds.events import Out, TrickEnd
from engine.rounds.turn import Expects, expected
from engine.rulebook import Clause
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    act,
    after,
    captured,
    events_of,
    in_tournaments,
    in_words,
    refused,
    round_of,
    where_the_winner_chooses,
)


def bombed(rules: TableRules, winner: int = 0) -> list[str]:
    """Return hands with which `winner` bombs the nine led by the player to their right."""
    hands = ["4r 2r", "4o 2o", "4y 2y"]
    hands[winner] = "J Q 3g"
    hands[(winner + 2) % 3] = "9g 2g"
    return hands


@pytest.mark.clause("common.tricks.bomb-chosen-opponent")
@where_the_winner_chooses
@pytest.mark.parametrize("winner", (0, 1, 2))
@pytest.mark.parametrize("step", (1, 2))
def test_the_winner_of_a_bombed_trick_gives_it_to_either_opponent_and_leads(
    rules: TableRules, winner: int, step: int
) -> None:
    left, right, chosen = (winner + 1) % 3, (winner + 2) % 3, (winner + step) % 3
    state = round_of(rules, *bombed(rules, winner), leader=right)
    state = after(state, f"{right} plays 9g", f"{winner} plays J Q", f"{left} passes")
    assert act(state, f"{right} passes").events == ()
    state = after(state, f"{right} passes")
    assert (state.to_act, expected(state.position)) == (winner, Expects.AWARD)
    assert set(may_capture(state.position)) == {left, right}
    assert act(state, f"{winner} gives {chosen}").events == (TrickEnd(winner=winner, captured_by=chosen),)
    state = after(state, f"{winner} gives {chosen}")
    assert captured(state)[chosen] == "9g J Q"
    assert [captured(state)[seat] for seat in range(3) if seat != chosen] == ["", ""]
    assert (state.to_act, expected(state.position)) == (winner, Expects.PLAY)
    assert state.tricks[-1][:2] == (winner, chosen)


@where_the_winner_chooses
def test_play_waits_for_the_award_and_the_trick_stays_on_the_table(rules: TableRules) -> None:
    state = after(
        round_of(rules, *bombed(rules), leader=2), "2 plays 9g", "0 plays J Q", "1 passes", "2 passes"
    )
    assert in_words(state.position.pile) == "9g J Q"
    assert captured(state) == ("", "", "")
    assert state.tricks == ()
    assert [entry.seat for entry in state.trick] == [2, 0, 1, 2]
    for words in ("0 plays 3g", "0 passes", "1 plays 4o", "1 passes", "2 plays 2g"):
        assert refused(state, words) == ("award_due", Clause.AWARD_BEFORE_PLAY)


@pytest.mark.clause("common.tricks.bomb-chosen-opponent")
@where_the_winner_chooses
def test_a_winner_who_is_out_still_awards_and_the_left_neighbour_leads(rules: TableRules) -> None:
    start = round_of(rules, "J Q", "8o 2o", "9y 2y", leader=2)
    assert events_of(start, "2 plays 9y", "0 plays J Q") == (Out(0),)
    state = after(start, "2 plays 9y", "0 plays J Q", "1 passes", "2 passes")
    assert (state.to_act, state.position.out) == (0, (0,))
    for captor in (1, 2):
        assert captured(after(state, f"0 gives {captor}"))[captor] == "9y J Q"
        assert after(state, f"0 gives {captor}").to_act == 1


@where_the_winner_chooses
def test_an_opponent_who_is_out_may_be_chosen(rules: TableRules) -> None:
    state = after(round_of(rules, "9r", "J Q 2o", "8y 2y"), "0 plays 9r", "1 plays J Q", "2 passes")
    assert state.position.out == (0,)
    assert may_capture(state.position) == (0, 2)
    assert captured(after(state, "1 gives 0")) == ("9r J Q", "", "")
    assert captured(after(state, "1 gives 2")) == ("", "", "9r J Q")


@pytest.mark.clause("common.ending.final-bomb", "deluxe.bombs.out-with-a-bomb")
@where_the_winner_chooses
def test_a_bomb_as_the_last_play_of_the_round_still_needs_an_award(rules: TableRules) -> None:
    start = after(round_of(rules, "9r", "J Q", "8y 2y"), "0 plays 9r")
    assert events_of(start, "1 plays J Q") == (Out(1),)
    state = after(start, "1 plays J Q")
    assert not state.is_over
    assert (state.to_act, expected(state.position)) == (1, Expects.AWARD)
    for captor in (0, 2):
        applied = act(state, f"1 gives {captor}")
        assert applied.events == (TrickEnd(winner=1, captured_by=captor),)
        assert applied.state.is_over
        assert applied.state.to_act is None
        assert captured(applied.state)[captor] == "9r J Q"


@where_the_winner_chooses
def test_a_trick_is_not_awarded_to_the_winner_or_to_an_unknown_seat(rules: TableRules) -> None:
    state = after(
        round_of(rules, *bombed(rules), leader=2), "2 plays 9g", "0 plays J Q", "1 passes", "2 passes"
    )
    for captor in (0, 3, -1):
        assert refused(state, f"0 gives {captor}") == ("award_invalid", Clause.AWARD_TO_OPPONENT)


@where_the_winner_chooses
def test_only_the_winner_awards_the_trick(rules: TableRules) -> None:
    state = after(
        round_of(rules, *bombed(rules), leader=2), "2 plays 9g", "0 plays J Q", "1 passes", "2 passes"
    )
    for seat in (1, 2):
        assert refused(state, f"{seat} gives 1") == ("not_your_turn", Clause.TURN_IN_ORDER)


@in_tournaments
def test_in_a_tournament_no_award_is_needed(rules: TableRules) -> None:
    state = after(
        round_of(rules, *bombed(rules), leader=2), "2 plays 9g", "0 plays J Q", "1 passes", "2 passes"
    )
    assert (state.to_act, expected(state.position)) == (0, Expects.PLAY)
    assert refused(state, "0 gives 1") == ("award_invalid", Clause.AWARD_ONLY_WHEN_DUE)


def test_an_award_moves_the_pile_and_nothing_else() -> None:
    state = after(round_of("classic", "9r", "J Q 2o", "8y 2y"), "0 plays 9r", "1 plays J Q", "2 passes")
    before = state.position.parts()
    position = award(state.position, 2)
    assert state.position.parts() == before
    assert (position.hands, position.out, position.opposing) == (
        state.position.hands,
        state.position.out,
        state.position.opposing,
    )
    assert (position.pile, position.award_due, position.captor) == (0, False, 2)
