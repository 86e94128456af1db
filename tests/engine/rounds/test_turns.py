import pytest

from engine.rounds.turns import left_of, next_with_cards, right_of
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import after, at_every_table, round_of


@pytest.mark.parametrize(("players", "lefts", "rights"), ((2, [1, 0], [1, 0]), (3, [1, 2, 0], [2, 0, 1])))
def test_left_is_the_next_seat_and_right_the_previous_one(
    players: int, lefts: list[int], rights: list[int]
) -> None:
    assert [left_of(seat, players) for seat in range(players)] == lefts
    assert [right_of(seat, players) for seat in range(players)] == rights


@pytest.mark.parametrize(
    ("hands", "nexts"),
    (
        ((1, 1, 1), [1, 2, 0]),
        ((0, 1, 1), [1, 2, 1]),
        ((1, 0, 1), [2, 2, 0]),
        ((1, 1, 0), [1, 0, 0]),
        ((1, 1), [1, 0]),
    ),
)
def test_the_next_player_is_the_first_to_the_left_with_cards(
    hands: tuple[int, ...], nexts: list[int]
) -> None:
    assert [next_with_cards(seat, hands) for seat in range(len(hands))] == nexts


def test_the_only_player_with_cards_is_their_own_successor() -> None:
    assert [next_with_cards(seat, (0, 1, 0)) for seat in range(3)] == [1, 1, 1]


@pytest.mark.clause("common.tricks.clockwise")
@at_every_table
def test_play_goes_clockwise_after_plays_and_passes(rules: TableRules) -> None:
    hands = ["2r 9r K", "4r 8o Q", "5r 7r J"][: rules.players]
    for leader in range(rules.players):
        state = round_of(rules, *hands, leader=leader)
        assert state.to_act == leader
        state = after(state, f"{leader} plays {hands[leader].split()[0]}")
        order = [state.to_act]
        if rules.players == 3:
            state = after(state, f"{order[0]} passes")
            order.append(state.to_act)
        assert order == [(leader + 1) % rules.players, (leader + 2) % rules.players][: rules.players - 1]
