"""Draw who deals the first round (who leads it in the deluxe game) from the first round's link."""

from collections.abc import Sequence

from engine.cards.deck import suits_for
from engine.deals.deal import draw_key
from engine.deals.framing import decimal
from engine.deals.seeds import seed_bytes
from engine.deals.stream import below, numbers_of


def first_seat(*, deal_id: str, link: bytes, players: int, seeds: Sequence[str]) -> int:
    """Return the seat drawn by link 1; it reveals nothing about the first deal, which uses another key.

    >>> first_seat(deal_id="m", link=bytes(32), players=3, seeds=("", "", "")) in range(3)
    True
    """
    suits_for(players)
    inputs = (decimal(players), *seed_bytes(seeds, players=players))
    return below(numbers_of(draw_key(link, b"first", deal_id, inputs)), players)
