"""Read one round of a record from JSON."""

from typing import Final

from engine.cards.card import Card
from engine.cards.deck import HAND_CARDS, haggis_size
from engine.records.fields import optional, read_int, read_items, read_object, schema
from engine.records.formats import read_cards, read_hash, read_points, read_seats
from engine.records.reading_actions import read_action
from engine.records.record import MOST_ACTIONS, MOST_ROUNDS, RecordedRound
from engine.scoring.sheet import SeatScore

_ROUND: Final = schema("number leader hands haggis actions out", "dealer link scores totals")
_SCORE: Final = schema("seat going_out first_out_bonus captured bets total")


def read_round(value: object, where: str, players: int) -> RecordedRound:
    """Return one round, complete or cut short."""
    fields = read_object(value, where, _ROUND)
    seats = range(players)
    each_seat = range(players, players + 1)
    haggis = haggis_size(players)
    actions = range(MOST_ACTIONS + 1)

    def read_seat(seat: object, where: str) -> int:
        return read_int(seat, where, seats)

    return RecordedRound(
        number=read_int(fields["number"], f"{where}/number", range(1, MOST_ROUNDS + 1)),
        dealer=optional(fields, where, "dealer", read_seat),
        leader=read_seat(fields["leader"], f"{where}/leader"),
        link=optional(fields, where, "link", read_hash),
        hands=read_items(fields["hands"], f"{where}/hands", each_seat, _read_hand),
        haggis=read_cards(fields["haggis"], f"{where}/haggis", range(haggis, haggis + 1)),
        actions=read_items(
            fields["actions"], f"{where}/actions", actions, lambda each, at: read_action(each, at, seats)
        ),
        out=read_seats(fields["out"], f"{where}/out", players),
        scores=optional(
            fields,
            where,
            "scores",
            lambda scores, at: read_items(
                scores, at, each_seat, lambda line, at: _read_score(line, at, seats)
            ),
        ),
        totals=optional(
            fields, where, "totals", lambda totals, at: read_items(totals, at, each_seat, read_points)
        ),
    )


def _read_hand(value: object, where: str) -> tuple[Card, ...]:
    return read_cards(value, where, range(HAND_CARDS, HAND_CARDS + 1))


def _read_score(value: object, where: str, seats: range) -> SeatScore:
    fields = read_object(value, where, _SCORE)
    read_int(fields["seat"], f"{where}/seat", seats)
    return SeatScore(**{name: read_points(fields[name], f"{where}/{name}") for name in fields})
