from dataclasses import replace

import pytest

from engine.errors import Malformed, Refused
from engine.matches.ending import Length
from engine.matches.events import Dealt, RoundEnd
from engine.matches.state import MatchState, Reason, Result
from engine.rounds.apply import apply as apply_in_round
from engine.rulebook import Clause
from engine.rulesets.model import TableRules
from tests.engine.matches.tables import ALL, Script, act, after, match_of
from tests.engine.rounds.tables import at_every_table, read
from tests.engine.scoring.finished_rounds import table

LONG = Length(target=1000)
ONE_CARD = ("2r", "2r", "2r")
"""Three (or two) who can each go out at once. The engine does not ask whether a deal is a true one."""


def refused(state: MatchState, words: str, script: Script) -> tuple[str, Clause]:
    """Return why an action is refused; no deal was requested."""
    asked = list(script.asked)
    with pytest.raises(Refused) as refusal:
        act(state, words, script)
    assert script.asked == asked
    return refusal.value.code, refusal.value.rule


# --- Within a round -----------------------------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize("words", ("0 plays 3r", "0 plays 3r J", "1 bets 15"))
def test_an_action_within_a_round_only_changes_the_round(rules: TableRules, words: str) -> None:
    script = Script(("3r 4r", "5o 6o", "7y 8y")[: rules.players])
    first_seat = 0 if not rules.has_dealer else rules.players - 1
    state = match_of(rules, LONG, script, first_seat=first_seat)
    acted = act(state, words, script)
    applied = apply_in_round(state.round, *read(words))
    assert (acted.state.round, acted.play, acted.events) == (applied.state, applied.play, applied.events)
    assert (acted.state.totals, acted.state.result, acted.state.length) == (state.totals, None, state.length)
    assert script.asked == [1]


def test_an_action_refused_by_the_round_leaves_the_match_unchanged() -> None:
    script = Script(("3r 4r", "5o 6o"))
    state = match_of(table("classic", 2), LONG, script, first_seat=1)
    again = match_of(table("classic", 2), LONG, Script(("3r 4r", "5o 6o")), first_seat=1)
    assert refused(state, "1 plays 5o", script)[0] == "not_your_turn"
    assert refused(state, "0 plays 5o", script)[0] == "card_not_in_hand"
    assert refused(state, "0 passes", script)[0] == "must_lead"
    assert state == again


def test_repeating_an_action_is_refused() -> None:
    script = Script(("3r 4r", "5o 6o"))
    for words, code in (("0 plays 3r", "not_your_turn"), ("1 bets 15", "bet_exists")):
        state = after(match_of(table("classic", 2), LONG, script, first_seat=1), script, words)
        assert refused(state, words, script)[0] == code


def test_a_repeated_card_is_malformed() -> None:
    script = Script(("3r 4r", "5o 6o"))
    with pytest.raises(Malformed):
        act(match_of(table("classic", 2), LONG, script, first_seat=1), "0 plays 3r 3r", script)


# --- The end of a round -------------------------------------------------------------------------------------


@pytest.mark.clause("haggish.ending.one-out", "common.setup.several-rounds")
@at_every_table
def test_a_finished_round_is_scored_and_the_next_one_is_dealt(
    rules: TableRules,
) -> None:
    script = Script(ONE_CARD[: rules.players], ("3r 4r", "5o 6o", "7y 8y")[: rules.players], haggis="3g")
    state = match_of(rules, LONG, script)
    seats = [(state.round.leader + step) % rules.players for step in range(rules.players)]
    state = after(state, script, f"{seats[0]} {ALL}")
    if rules.players == 3:
        assert script.asked == [1]
        state = after(state, script, f"{seats[1]} passes", f"{seats[2]} passes")
        acted = act(state, f"{seats[1]} {ALL}", script)
        ended, state = acted.events[2], acted.state
        assert isinstance(ended, RoundEnd)
        assert ended.totals == state.totals == tuple(score.total for score in ended.scores)
        assert ended.out == (seats[0], seats[1])
    assert script.asked == [1, 2]
    assert min(state.totals) >= 0
    assert max(state.totals) >= 20
    assert state.round.number == 2
    assert state.round.dealt == match_of(rules, LONG, Script(*script.deals[1:])).round.dealt
    assert state.round.bets == (None,) * rules.players
    assert (state.round.trick, state.round.tricks) == ((), ())


def test_totals_accumulate_over_rounds() -> None:
    script = Script(("2r", "2r"))
    state = match_of(table("classic", 2), LONG, script, first_seat=1)
    # 4 cards left: 20; J Q K captured and left: 10 and 10.
    state = after(state, script, f"0 {ALL}")
    assert state.totals == (40, 0)
    state = after(state, script, "0 bets 15", f"1 {ALL}")
    assert state.totals == (40, 40 + 15)


def test_most_points_deal_and_fewest_points_lead_the_next_round() -> None:
    script = Script(("2r", "2r"))
    acted = act(match_of(table("classic", 2), LONG, script, first_seat=1), f"0 {ALL}", script)
    assert acted.events[-1] == Dealt(number=2, dealer=0, leader=1)
    second = acted.state.round
    assert (second.number, second.dealer, second.leader, second.to_act) == (2, 0, 1, 1)


def test_in_a_tie_the_first_out_deals_and_the_left_neighbour_leads() -> None:
    script = Script(("2r", "2r"))
    state = after(match_of(table("classic", 2), LONG, script, first_seat=1), script, f"0 {ALL}")
    acted = act(state, f"1 {ALL}", script)
    assert acted.state.totals == (40, 40)
    assert acted.events[-1] == Dealt(number=3, dealer=1, leader=0)


def test_in_deluxe_nobody_deals_and_a_tie_is_led_by_the_left_neighbour_of_the_last_leader() -> None:
    script = Script(("2r", "2r"))
    state = after(match_of(table("deluxe", 2), LONG, script, first_seat=0), script, f"0 {ALL}")
    assert (state.round.dealer, state.round.leader) == (None, 1)
    acted = act(state, f"1 {ALL}", script)
    assert acted.state.totals[0] == acted.state.totals[1]
    assert acted.events[-1] == Dealt(number=3, dealer=None, leader=0)


def test_the_last_leader_is_the_one_of_the_first_trick() -> None:
    script = Script(("2r", "3o"))
    state = match_of(table("deluxe", 2), LONG, script, first_seat=0)
    lines = ("0 plays 2r", "1 plays 3o", "0 passes", "1 plays J Q K")
    scored = after(state, script, *lines).totals
    tied = after(replace(state, totals=scored[::-1]), script, *lines)
    assert tied.totals == (sum(scored), sum(scored))
    assert tied.round.leader == 1


def test_a_round_that_ends_on_a_bomb_is_scored_after_the_award() -> None:
    script = Script(("2r", "", "3g 4g"), ("5r", "6r", "7r"))
    state = after(
        match_of(table("classic"), LONG, script, first_seat=2), script, f"0 {ALL}", "1 passes", "2 passes"
    )
    acted = act(state, "1 plays J Q K", script)
    assert (len(acted.events), script.asked, acted.state.totals) == (1, [1], (0, 0, 0))
    assert refused(acted.state, "2 bets 15", script) == ("bet_closed", Clause.BET_BEFORE_FIRST_OUT)
    assert refused(acted.state, "2 passes", script) == ("award_due", Clause.AWARD_BEFORE_PLAY)
    awarded = act(acted.state, "1 gives 2", script)
    assert script.asked == [1, 2]
    # 0: 25 + 5 + their own trick 10 + the last hand 11. 1: 25. 2: J Q K.
    assert awarded.state.totals == (51, 25, 10)
    assert awarded.state.round.number == 2


# --- The end of a match -------------------------------------------------------------------------------------


@pytest.mark.clause("common.match.target", "common.match.most-points-win")
@pytest.mark.parametrize(("target", "over"), ((39, True), (40, True), (41, False)))
def test_a_match_ends_after_the_round_in_which_the_target_is_reached(target: int, *, over: bool) -> None:
    script = Script(("2r", "2r"))
    state = after(
        match_of(table("classic", 2), Length(target=target), script, first_seat=1), script, f"0 {ALL}"
    )
    assert state.is_over is over
    assert script.asked == ([1] if over else [1, 2])
    if over:
        assert state.result == Result(winners=(0,), scores=(40, 0), reason=Reason.TARGET)
        assert state.round.number == 1
        assert state.round.is_over


@pytest.mark.clause("common.match.number-of-rounds", "common.match.most-points-win")
def test_a_match_of_rounds_ends_after_the_agreed_number() -> None:
    script = Script(("2r", "2r"))
    state = after(match_of(table("deluxe", 2), Length(rounds=3), script), script, f"0 {ALL}", f"1 {ALL}")
    assert not state.is_over
    state = after(state, script, f"0 {ALL}")
    assert state.result == Result(winners=(0,), scores=state.totals, reason=Reason.ROUNDS)
    assert script.asked == [1, 2, 3]


@pytest.mark.clause("common.match.tied-plays-on")
@pytest.mark.parametrize("length", (Length(rounds=1), Length(target=30)))
def test_a_tie_for_first_adds_rounds_until_one_player_leads(length: Length) -> None:
    script = Script(ONE_CARD)
    state = match_of(table("booklet"), length, script, first_seat=2)
    # First and second out score alike: 20 for four cards left, and 10 for their own trick.
    state = after(state, script, f"0 {ALL}", "1 passes", "2 passes", f"1 {ALL}")
    assert (state.totals, state.is_over) == ((30, 30, 0), False)
    assert (state.round.number, state.round.dealer, state.round.leader) == (2, 0, 2)
    state = after(state, script, f"2 {ALL}", "0 passes", "1 passes", f"0 {ALL}")
    assert state.result is not None
    assert (state.result.winners, state.result.scores) == ((0,), (60, 30, 30))
    assert script.asked == [1, 2]


@pytest.mark.parametrize("words", ("0 plays 2r", "1 passes", "0 bets 15", "1 gives 0"))
def test_actions_after_the_end_of_a_match_are_refused(words: str) -> None:
    script = Script(("2r", "2r"))
    state = after(match_of(table("classic", 2), Length(rounds=1), script, first_seat=1), script, f"0 {ALL}")
    assert refused(state, words, script) == ("match_over", Clause.MATCH_OVER)
