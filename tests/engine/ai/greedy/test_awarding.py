from dataclasses import replace

from engine.ai.greedy.awarding import choose_captor
from engine.cards.hand import mask_of, parse_cards
from engine.views.round_view import view_round
from tests.engine.ai.tables import start

POINTS = mask_of(parse_cards("3r 5r 7g"))
NO_POINTS = mask_of(parse_cards("2r 4r 6r 8r Tr"))


def captor(*, captured: tuple[int, ...], counts: tuple[int, ...] = (5, 5, 5), key: str = "classic") -> int:
    view = view_round(start(1, players=3, key=key), 0)
    return choose_captor(replace(view, awards=(1, 2), captured=captured, counts=counts))


def test_the_opponent_with_fewer_captured_points_gets_the_trick() -> None:
    assert captor(captured=(0, POINTS, NO_POINTS)) == 2
    assert captor(captured=(0, NO_POINTS, POINTS)) == 1


def test_points_are_counted_by_the_rule_set() -> None:
    assert captor(captured=(0, POINTS, NO_POINTS), key="deluxe") == 1


def test_if_points_are_equal_the_opponent_with_more_cards_gets_the_trick() -> None:
    assert captor(captured=(0, 0, 0), counts=(5, 4, 9)) == 2
    assert captor(captured=(0, 0, 0), counts=(5, 9, 4)) == 1
