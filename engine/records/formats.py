"""Read values that are written the same way everywhere in a record: cards, seats, points, hashes, times."""

import re
from datetime import datetime
from typing import Final

from engine.cards.card import Card
from engine.errors import Malformed
from engine.records.fields import read_int, read_items

_POINTS: Final = range(-1_000_000, 1_000_001)
_HASH: Final = re.compile("[0-9a-fA-F]{64}")
_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)


def read_cards(value: object, where: str, sizes: range) -> tuple[Card, ...]:
    """Return distinct cards, as many as `sizes` allows."""
    cards = read_items(value, where, sizes, _read_card)
    if len(set(cards)) == len(cards):
        return cards
    index, card = next((index, card) for index, card in enumerate(cards) if card in cards[:index])
    raise Malformed("card_twice", f"The card {card} appears twice.", where=f"{where}/{index}")


def _read_card(value: object, where: str) -> Card:
    if not isinstance(value, str):
        raise Malformed("wrong_type", "This is not a string.", where=where)
    try:
        return Card.parse(value)
    except Malformed:
        raise Malformed("unknown_card", "There is no such card.", where=where) from None


def read_seats(value: object, where: str, players: int) -> tuple[int, ...]:
    """Return distinct seats of the table."""
    seats = read_items(value, where, range(players + 1), lambda seat, at: read_int(seat, at, range(players)))
    if len(set(seats)) < len(seats):
        raise Malformed("seat_twice", "A seat appears twice.", where=where)
    return seats


def read_points(value: object, where: str) -> int:
    """Return points of a score sheet or a total."""
    return read_int(value, where, _POINTS)


def read_hash(value: object, where: str) -> str:
    """Return 32 bytes as hexadecimal digits."""
    if not isinstance(value, str):
        raise Malformed("wrong_type", "This is not a string.", where=where)
    if not _HASH.fullmatch(value):
        raise Malformed("invalid_hash", "This is not 64 hexadecimal digits.", where=where)
    return value


def read_time(value: object, where: str) -> str:
    """Return an RFC 3339 timestamp, exactly as it was written."""
    if not isinstance(value, str):
        raise Malformed("wrong_type", "This is not a string.", where=where)
    try:
        if _TIME.fullmatch(value):
            datetime.fromisoformat(value)
            return value
    except ValueError:
        pass
    raise Malformed("invalid_time", "This is not a date and time such as 2026-01-31T12:00:00Z.", where=where)
