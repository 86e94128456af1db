"""Serialize what players see as JSON: cards as codes, combinations and readings with descriptions."""

from functools import lru_cache
from typing import Any, Final

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

Form = dict[str, Any]

_PLAYS_KEPT: Final = 1_024
_HANDS_KEPT: Final = 1_024


def cards_form(cards: int) -> list[str]:
    """Return cards as codes."""
    return list(_codes(cards))


@lru_cache(_HANDS_KEPT)  # hands and captured piles recur in every view of a trick
def _codes(cards: int) -> tuple[str, ...]:
    return tuple([str(card) for card in cards_of(cards)])


def combination_form(combination: Combination) -> Form:
    """Return a combination by its parts and in words."""
    return {
        "kind": combination.kind.value,
        "top": combination.top,
        "width": combination.width,
        "length": combination.length,
        "text": str(combination),
    }


def wilds_form(wilds: tuple[Wild, ...]) -> dict[str, str]:
    """Return what each wild card stands for."""
    return {str(wild.face): wild.stands_for for wild in wilds}


def play_form(play: int) -> Form:
    """Return the cards of a play, the combination they were played as, and what its wild cards stand for."""
    return {**_play_form(play)}


@lru_cache(_PLAYS_KEPT)  # the plays of a trick recur in every view of it
def _play_form(play: int) -> Form:
    combination = combination_of(number_in(play))
    cards = cards_in(play)
    return {
        "cards": cards_form(cards),
        "combination": combination_form(combination),
        "wilds": wilds_form(wilds_in(cards, combination)),
    }


def reading_form(reading: Reading, current: int) -> Form:
    """Return a reading, whether it may be played on `current` (0 when leading), and the deciding clause."""
    on = combination_of(number_in(current)) if current else None
    playable, clause = judge(reading.combination, on)
    return {
        "combination": combination_form(reading.combination),
        "wilds": wilds_form(reading.wilds),
        "playable": playable,
        "rule": clause.value,
    }


def readings_form(cards: int, current: int, rules: CombinationRules) -> list[Form]:
    """Return every reading of some cards."""
    return [reading_form(reading, current) for reading in readings_of(cards, rules)]


def group_form(group: Group) -> Form:
    """Return one line of the legal plays by combination."""
    return {
        "combination": combination_form(group.combination),
        "count": group.count,
        "cheapest": cards_form(cards_in(group.cheapest)),
    }


def entry_form(entry: Entry) -> Form:
    """Return one turn of a trick."""
    if not entry.play:
        return {"seat": entry.seat, "type": "pass", "cards": None, "combination": None, "wilds": None}
    return {"seat": entry.seat, "type": "play", **play_form(entry.play)}


def trick_form(trick: Trick) -> Form:
    """Return a trick that has ended."""
    return {
        "winner": trick.winner,
        "captured_by": trick.captured_by,
        "plays": [entry_form(entry) for entry in trick.entries],
    }


def round_form(view: RoundView) -> Form:
    """Return the `round` of a table as its viewer may see it, without the clock."""
    return {
        "number": view.number,
        "dealer": view.dealer,
        "leader": view.leader,
        "to_act": view.to_act,
        "expects": None if view.expects is None else view.expects.value,
        "hands": [_hand_form(view, seat) for seat in range(view.rules.players)],
        "bets": list(view.bets),
        "out": list(view.out),
        "haggis_count": view.haggis_count,
        "captured": [cards_form(pile) for pile in view.captured],
        "trick": [entry_form(entry) for entry in view.trick],
        "last_trick": trick_form(view.tricks[-1]) if view.tricks else None,
    }


def _hand_form(view: RoundView, seat: int) -> Form:
    """Return the size and face cards of a hand, and all its cards if the viewer owns it."""
    return {
        "seat": seat,
        "count": view.counts[seat],
        "faces": cards_form(view.faces[seat] << FACES_AT),
        "cards": cards_form(view.hand) if seat == view.seat and view.hand is not None else None,
    }
