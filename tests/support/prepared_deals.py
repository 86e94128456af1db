"""Deal chosen cards in a match, so that a test reads like the report of a game.

The fixture `deal_prepared_cards` (`tests/conftest.py`) is active in every test and changes only the deals of
matches for which `prepare_deals` was called. These deals do not match the seed chain of the match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from engine.cards.card import parse_cards
from engine.deals.deal import Deal
from games.gateway.agreement import Deals

HAGGIS = "haggis"


@dataclass(frozen=True)
class _Prepared:
    first_seat: int | None
    rounds: tuple[Deal, ...]


_PREPARED: dict[str, _Prepared] = {}


def prepare_deals(
    match_id: str, seats: Sequence[str], deals: Sequence[Mapping[str, str]], *, first_seat: int | None
) -> None:
    """Choose the first rounds of a match before it starts.

    Each deal has the suit cards of every player by name, any number of them, and optionally those of the
    haggis; J, Q and K are added to every hand. Later rounds are dealt from the seed chain. If `first_seat` is
    `None`, the seat that deals or leads first is drawn.
    """
    rounds = tuple(
        Deal(tuple(parse_cards(deal[name]) for name in seats), parse_cards(deal.get(HAGGIS, "")))
        for deal in deals
    )
    _PREPARED[match_id] = _Prepared(first_seat, rounds)


@contextmanager
def use_prepared_deals() -> Iterator[None]:
    """Deal the prepared cards during the block."""
    draw_first_seat, deal_function = Deals.first_seat, Deals.deal_function

    def first_seat(deals: Deals) -> int:
        prepared = _PREPARED.get(deals.deal_id)
        drawn = None if prepared is None else prepared.first_seat
        return draw_first_seat(deals) if drawn is None else drawn

    def prepared_deal_function(deals: Deals) -> Callable[[int], Deal]:
        deal = deal_function(deals)
        rounds = _PREPARED[deals.deal_id].rounds if deals.deal_id in _PREPARED else ()
        return lambda number: rounds[number - 1] if number <= len(rounds) else deal(number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deals, "first_seat", first_seat)
        patch.setattr(Deals, "deal_function", prepared_deal_function)
        yield
    _PREPARED.clear()
