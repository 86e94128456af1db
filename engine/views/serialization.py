"""Serialize what players see as JSON: cards as codes, combinations and readings with descriptions."""

from functools import lru_cache
from typing import Final, TypedDict

from engine.cards.hand import FACES_AT, cards_of
from engine.combinations.beating import judge
from engine.combinations.kinds import Combination, combination_of
from engine.combinations.plays import cards_in, number_in
from engine.combinations.readings import Reading, readings_of
from engine.combinations.rules import CombinationRules
from engine.combinations.wilds import Wild, wilds_in
from engine.plays.grouped import Group
from engine.rounds.state import Entry, Trick
from engine.views.round_view import RoundView


class CombinationJson(TypedDict):
    """A combination by its parts and in words."""

    kind: str
    top: int
    width: int
    length: int
    text: str


class PlayJson(TypedDict):
    """The cards of a play, the combination they were played as, and what its wild cards stand for."""

    cards: list[str]
    combination: CombinationJson
    wilds: dict[str, str]


class ReadingJson(TypedDict):
    """A reading of some cards, whether it may be played now, and the deciding clause."""

    combination: CombinationJson
    wilds: dict[str, str]
    playable: bool
    rule: str


class GroupJson(TypedDict):
    """One line of the legal plays by combination."""

    combination: CombinationJson
    count: int
    cheapest: list[str]


class TurnJson(TypedDict):
    """One turn of a trick; a pass has no cards."""

    seat: int
    type: str
    cards: list[str] | None
    combination: CombinationJson | None
    wilds: dict[str, str] | None


class TrickJson(TypedDict):
    """A trick that has ended."""

    winner: int
    captured_by: int | None
    plays: list[TurnJson]


class HandJson(TypedDict):
    """The size and face cards of a hand, and all its cards if the viewer owns it."""

    seat: int
    count: int
    faces: list[str]
    cards: list[str] | None


class RoundJson(TypedDict):
    """The `round` of a table as its viewer may see it, without the clock."""

    number: int
    dealer: int | None
    leader: int
    to_act: int | None
    expects: str | None
    hands: list[HandJson]
    bets: list[int | None]
    out: list[int]
    haggis_count: int
    captured: list[list[str]]
    trick: list[TurnJson]
    last_trick: TrickJson | None


_PLAYS_CACHE_SIZE: Final = 1_024
_HANDS_CACHE_SIZE: Final = 1_024


def serialize_cards(cards: int) -> list[str]:
    """Return cards as codes."""
    return list(_codes(cards))


@lru_cache(_HANDS_CACHE_SIZE)  # hands and captured piles recur in every view of a trick
def _codes(cards: int) -> tuple[str, ...]:
    return tuple([str(card) for card in cards_of(cards)])


def serialize_combination(combination: Combination) -> CombinationJson:
    """Return a combination by its parts and in words."""
    return {
        "kind": combination.kind.value,
        "top": combination.top,
        "width": combination.width,
        "length": combination.length,
        "text": str(combination),
    }


def serialize_wilds(wilds: tuple[Wild, ...]) -> dict[str, str]:
    """Return what each wild card stands for."""
    return {str(wild.face): wild.stands_for for wild in wilds}


def serialize_play(play: int) -> PlayJson:
    """Return the cards of a play, the combination they were played as, and what its wild cards stand for."""
    return {**_serialize_play(play)}


@lru_cache(_PLAYS_CACHE_SIZE)  # the plays of a trick recur in every view of it
def _serialize_play(play: int) -> PlayJson:
    combination = combination_of(number_in(play))
    cards = cards_in(play)
    return {
        "cards": serialize_cards(cards),
        "combination": serialize_combination(combination),
        "wilds": serialize_wilds(wilds_in(cards, combination)),
    }


def serialize_reading(reading: Reading, current: int) -> ReadingJson:
    """Return a reading, whether it may be played on `current` (0 when leading), and the deciding clause."""
    on = combination_of(number_in(current)) if current else None
    playable, clause = judge(reading.combination, on)
    return {
        "combination": serialize_combination(reading.combination),
        "wilds": serialize_wilds(reading.wilds),
        "playable": playable,
        "rule": clause.value,
    }


def serialize_readings(cards: int, current: int, rules: CombinationRules) -> list[ReadingJson]:
    """Return every reading of some cards."""
    return [serialize_reading(reading, current) for reading in readings_of(cards, rules)]


def serialize_group(group: Group) -> GroupJson:
    """Return one line of the legal plays by combination."""
    return {
        "combination": serialize_combination(group.combination),
        "count": group.count,
        "cheapest": serialize_cards(cards_in(group.cheapest)),
    }


def serialize_entry(entry: Entry) -> TurnJson:
    """Return one turn of a trick."""
    if not entry.play:
        return {"seat": entry.seat, "type": "pass", "cards": None, "combination": None, "wilds": None}
    return {"seat": entry.seat, "type": "play", **serialize_play(entry.play)}


def serialize_trick(trick: Trick) -> TrickJson:
    """Return a trick that has ended."""
    return {
        "winner": trick.winner,
        "captured_by": trick.captured_by,
        "plays": [serialize_entry(entry) for entry in trick.entries],
    }


def serialize_round(view: RoundView) -> RoundJson:
    """Return the `round` of a table as its viewer may see it, without the clock."""
    return {
        "number": view.number,
        "dealer": view.dealer,
        "leader": view.leader,
        "to_act": view.to_act,
        "expects": None if view.expects is None else view.expects.value,
        "hands": [_serialize_hand(view, seat) for seat in range(view.rules.players)],
        "bets": list(view.bets),
        "out": list(view.out),
        "haggis_count": view.haggis_count,
        "captured": [serialize_cards(pile) for pile in view.captured],
        "trick": [serialize_entry(entry) for entry in view.trick],
        "last_trick": serialize_trick(view.tricks[-1]) if view.tricks else None,
    }


def _serialize_hand(view: RoundView, seat: int) -> HandJson:
    """Return the size and face cards of a hand, and all its cards if the viewer owns it."""
    return {
        "seat": seat,
        "count": view.counts[seat],
        "faces": serialize_cards(view.faces[seat] << FACES_AT),
        "cards": serialize_cards(view.hand) if seat == view.seat and view.hand is not None else None,
    }
