import pytest

from engine.rounds.events import Out
from engine.rounds.going_out import largest_opposing_hand
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    act,
    after,
    at_every_table,
    at_tables_of_three,
    at_tables_of_two,
    events_of,
    round_of,
)


@pytest.mark.parametrize(
    ("seat", "hands", "largest"),
    (
        (0, (0, 0b111, 0b1), 3),
        (0, (0, 0b1, 0b11), 2),
        (1, (0b11111, 0, 0b1), 5),
        (2, (0, 0b11, 0), 2),
        (1, (0b1, 0), 1),
    ),
)
def test_the_largest_opposing_hand_belongs_to_the_opponent_with_the_most_cards(
    seat: int, hands: tuple[int, ...], largest: int
) -> None:
    assert largest_opposing_hand(seat, hands) == largest


def test_the_own_hand_does_not_count_as_opposing() -> None:
    assert largest_opposing_hand(0, (0b1111, 0b11, 0b1)) == 2


@pytest.mark.clause("common.out.with-the-last-card", "common.out.faces-count", "booklet.out.last-out-scores")
@at_tables_of_two
def test_with_two_players_going_out_counts_the_other_hand_with_face_cards(rules: TableRules) -> None:
    start = round_of(rules, "9r 2r", "8o 2o J K")
    state = after(start, "0 plays 2r", "1 plays 8o")
    assert state.position.out == ()
    assert events_of(start, "0 plays 2r", "1 plays 8o", "0 plays 9r")[0] == Out(0)
    state = after(state, "0 plays 9r")
    assert (state.position.out, state.position.opposing) == ((0,), (3,))


@pytest.mark.clause(
    "common.out.first-counts-largest-hand",
    "common.out.faces-count",
    "revised.out.largest-hand-noted",
    "common.out.with-the-last-card",
)
@at_tables_of_three
def test_with_three_players_each_going_out_counts_the_largest_hand_at_that_time(
    rules: TableRules,
) -> None:
    state = after(round_of(rules, "5r", "6o 7o", "8y 9y J K"), "0 plays 5r")
    assert (state.position.out, state.position.opposing) == ((0,), (4,))
    state = after(state, "1 passes", "2 plays 8y", "1 passes", "2 plays 9y", "1 passes", "2 plays J")
    assert state.position.opposing == (4,)
    state = after(state, "1 passes", "2 plays K")
    assert (state.position.out, state.position.opposing) == ((0, 2), (4, 2))


@pytest.mark.clause("common.out.first-counts-largest-hand")
@at_tables_of_three
def test_the_largest_hand_may_be_on_either_side(rules: TableRules) -> None:
    assert after(round_of(rules, "5r", "6o 7o J", "8y"), "0 plays 5r").position.opposing == (3,)
    assert after(round_of(rules, "5r", "6o", "8y 9y J K"), "0 plays 5r").position.opposing == (4,)


@pytest.mark.clause("common.out.others-play-on")
@at_tables_of_three
@pytest.mark.parametrize("first", (0, 1, 2))
def test_with_three_players_the_other_two_continue(rules: TableRules, first: int) -> None:
    left, right = (first + 1) % 3, (first + 2) % 3
    hands = [""] * 3
    hands[first], hands[left], hands[right] = "5g", "6o 7o", "8y 2y"
    state = after(round_of(rules, *hands, leader=first), f"{first} plays 5g")
    assert not state.is_over
    assert state.to_act == left
    state = after(state, f"{left} plays 6o", f"{right} plays 8y", f"{left} passes")
    assert state.to_act == right
    state = after(state, f"{right} plays 2y")
    assert state.position.out == (first, right)


@pytest.mark.clause("common.out.with-the-last-card")
@at_every_table
def test_a_player_may_go_out_with_several_cards_at_once(rules: TableRules) -> None:
    hands = ("Tr Tg J Q", "2o 3o", "2y 3y")[: rules.players]
    applied = act(round_of(rules, *hands), "0 plays Tr Tg J Q as kind=stair")
    assert applied.events[0] == Out(0)
    assert applied.state.position.opposing == (2,)


@at_every_table
def test_a_player_with_a_face_card_left_is_not_out(rules: TableRules) -> None:
    state = after(round_of(rules, "9r K", "8o", "8y"), "0 plays 9r")
    assert state.position.out == ()
