import pytest

from engine.rounds.events import TrickEnd
from engine.rounds.passing import passes_that_end
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    act,
    after,
    at_every_table,
    at_tables_of_three,
    at_tables_of_two,
    captured,
    events_of,
    hands_of,
    refused,
    round_of,
)

THREE_HANDS = ("7r 9r 2r", "8o J 2o", "Ty Q 2y")


@pytest.mark.clause("common.tricks.two-players-one-pass")
@at_tables_of_two
@pytest.mark.parametrize("leader", (0, 1))
def test_with_two_players_one_pass_ends_the_trick(rules: TableRules, leader: int) -> None:
    hands = ("7r 9r", "8o 2o")
    other = 1 - leader
    card = hands[leader].split()[0]
    assert events_of(round_of(rules, *hands, leader=leader), f"{leader} plays {card}", f"{other} passes") == (
        TrickEnd(winner=leader, captured_by=leader),
    )


@pytest.mark.clause("common.tricks.three-players-two-passes")
@at_tables_of_three
@pytest.mark.parametrize("leader", (0, 1, 2))
def test_with_three_players_two_consecutive_passes_end_the_trick(rules: TableRules, leader: int) -> None:
    second, third = (leader + 1) % 3, (leader + 2) % 3
    state = after(
        round_of(rules, *THREE_HANDS, leader=leader), f"{leader} plays {THREE_HANDS[leader].split()[0]}"
    )
    assert act(state, f"{second} passes").events == ()
    state = after(state, f"{second} passes")
    assert (state.to_act, len(state.tricks)) == (third, 0)
    assert act(state, f"{third} passes").events == (TrickEnd(winner=leader, captured_by=leader),)
    assert after(state, f"{third} passes").to_act == leader


@pytest.mark.clause("common.tricks.three-players-two-passes")
@at_tables_of_three
def test_two_passes_with_a_play_between_do_not_end_the_trick(rules: TableRules) -> None:
    state = after(round_of(rules, *THREE_HANDS), "0 plays 7r", "1 passes", "2 plays Ty", "0 passes")
    assert state.tricks == ()
    assert state.to_act == 1
    state = after(state, "1 plays J", "2 passes")
    assert (state.tricks, state.to_act) == ((), 0)


@pytest.mark.clause("common.tricks.pass-and-return")
@at_tables_of_three
def test_a_player_who_has_passed_may_play_later_in_the_trick(rules: TableRules) -> None:
    state = after(
        round_of(rules, *THREE_HANDS), "0 plays 7r", "1 passes", "2 plays Ty", "0 passes", "1 plays J"
    )
    assert state.position.winner == 1
    state = after(state, "2 plays Q", "0 passes", "1 passes")
    assert captured(state) == ("", "", "7r Ty J Q")


@pytest.mark.clause("common.tricks.may-pass", "common.tricks.beat-or-pass")
@at_every_table
def test_a_player_who_could_play_may_pass(rules: TableRules) -> None:
    state = after(round_of(rules, *THREE_HANDS), "0 plays 7r")
    assert act(state, "1 plays 8o").state.position.winner == 1
    assert act(state, "1 passes").state.position.winner == 0
    assert hands_of(after(state, "1 passes"))[1] == hands_of(state)[1]


@pytest.mark.clause("common.tricks.must-pass", "common.tricks.beat-or-pass")
@at_every_table
def test_a_player_without_a_higher_play_can_only_pass(rules: TableRules) -> None:
    state = after(round_of(rules, "9r 9o 2r", "8o 9y 2o", "Ty Q 2y"), "0 plays 9r")
    for cards in ("8o", "9y", "2o"):
        assert refused(state, f"1 plays {cards}")[0] == "does_not_beat"
    assert refused(state, "1 plays 8o 9y")[0] == "not_a_combination"
    assert after(state, "1 passes").position.winner == 0


@pytest.mark.clause("revised.tricks.out-counts-as-passing")
@at_tables_of_three
def test_with_one_player_out_both_others_must_pass(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", "8o 2o", "Ty 2y"), "0 plays 7r", "1 passes")
    assert (state.to_act, state.tricks) == (2, ())
    state = after(state, "2 passes")
    assert captured(state) == ("7r", "", "")


@pytest.mark.clause("revised.tricks.out-counts-as-passing")
@at_tables_of_three
def test_with_one_player_out_one_pass_ends_a_trick_of_the_two_others(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", "8o 2o", "Ty 2y"), "0 plays 7r", "1 plays 8o")
    assert state.to_act == 2
    assert act(state, "2 passes").events == (TrickEnd(winner=1, captured_by=1),)
    state = after(state, "2 plays Ty")
    assert state.to_act == 1
    assert act(state, "1 passes").events == (TrickEnd(winner=2, captured_by=2),)


@at_tables_of_three
def test_passes_are_reset_by_the_next_play_after_a_player_went_out(
    rules: TableRules,
) -> None:
    state = after(round_of(rules, "7r 9r", "8o J", "Ty"), "0 plays 7r", "1 passes", "2 plays Ty", "0 passes")
    assert (state.to_act, state.tricks) == (1, ())
    assert act(state, "1 plays J").events == ()
    assert act(after(state, "1 plays J"), "0 passes").events == (TrickEnd(winner=1, captured_by=1),)


@pytest.mark.parametrize(
    ("lines", "passes"),
    (
        (("0 plays 7r",), 2),
        (("0 plays 7r", "1 plays 8o", "2 plays Ty"), 2),
        (("0 plays 7r", "1 plays 8o", "2 plays Ty", "0 passes", "1 plays J"), 2),
        (("0 plays 7r 7o",), 2),
        (("0 plays 7r 7o", "1 plays 8o 8y"), 1),
    ),
)
def test_the_passes_that_end_a_trick_are_the_players_with_cards_except_the_winner(
    lines: tuple[str, ...], passes: int
) -> None:
    state = round_of("classic", "7r 7o", "8o 8y J 3o", "Ty Q")
    assert passes_that_end(after(state, *lines).position) == passes
