"""Describe what a seat sees as a vector, the same length for all rule sets and numbers of players.

The vector is computed from the seat's view (`engine.views`), which contains no hidden card. Seats are
relative: first the observer, then the next player to the left. With two players the third place is empty.
Every number lies between 0 and 1.
"""

import struct
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards.hand import HAND_BITS
from engine.combinations.kinds import KIND, LENGTH, TOP, WIDTH, Kind
from engine.combinations.plays import COMBINATION_AT
from engine.env.actions import BET_AMOUNTS
from engine.rounds.turn import Expects
from engine.rulesets.model import TableRules
from engine.rulesets.terms import (
    BetsClose,
    BetSplit,
    BetSucceeds,
    BombCapture,
    CardPoints,
    FaceCards,
    FinalHand,
    Haggis,
    LeadTie,
)
from engine.views.match_view import MatchView
from engine.views.round_view import RoundView

Vector = NDArray[np.float32]

SEATS: Final = 3
HAND: Final = 48
PILE: Final = 54
_PLAY: Final = len(Kind) + 3
_SEAT: Final = 15
_TERMS: Final[tuple[tuple[str, type[StrEnum]], ...]] = (
    ("face_cards", FaceCards),
    ("bet_succeeds", BetSucceeds),
    ("bets_close", BetsClose),
    ("bet_split", BetSplit),
    ("card_points", CardPoints),
    ("final_hand", FinalHand),
    ("haggis", Haggis),
    ("bomb_capture", BombCapture),
    ("lead_tie", LeadTie),
)
_RULES: Final = sum(len(values) for _, values in _TERMS) + 3 + len(BET_AMOUNTS)

LAYOUT: Final[tuple[tuple[str, int], ...]] = (
    ("hand", HAND),  # the observer's cards
    ("named_cards", HAND),  # cards that the observer has chosen of the play being made
    ("played", SEATS * HAND),  # what each seat has played in this round
    ("captured", SEATS * PILE),  # what each seat has captured
    ("trick", PILE),  # the cards of the current trick
    ("current_cards", HAND),  # the cards of the play to beat
    ("current", _PLAY),  # its kind, top, width and length
    ("chosen", _PLAY),  # the combination that the observer has chosen, while choosing its cards
    ("seats", SEATS * _SEAT),  # see _seat_numbers
    ("turn", len(Expects) + 2),  # what is expected, how many have passed, whether it is the observer's turn
    ("bets_open", len(BET_AMOUNTS)),  # which bets the observer may make
    ("rules", _RULES),  # the terms of the rule set, one place for each answer
    ("length", 3),  # the round, the target and the number of rounds
)
"""The parts of an observation and their sizes, in order."""

SIZE: Final = sum(size for _, size in LAYOUT)

_CARD_SETS: Final = (
    ("hand", HAND),
    ("named_cards", HAND),
    *((("played", HAND),) * SEATS),
    *((("captured", PILE),) * SEATS),
    ("trick", PILE),
    ("current_cards", HAND),
)
_WORDS: Final = struct.Struct(f"<{len(_CARD_SETS)}Q")
# Where the bits of the sets of cards lie in an array of 64 bits for each set.
_BITS: Final = np.concatenate([64 * row + np.arange(size) for row, (_, size) in enumerate(_CARD_SETS)])
_CARDS_END: Final = len(_BITS)
_MOST_CARDS: Final = 17
_MOST_POINTS: Final = 1000
_MOST_ROUNDS: Final = 100
_KINDS: Final = tuple(Kind)
_EXPECTS: Final = tuple(Expects)


class Selection(NamedTuple):
    """A play that is being made: the number of its combination, and the cards chosen so far."""

    combination: int = 0
    cards: int = 0


NO_SELECTION: Final = Selection()


def part(name: str) -> slice:
    """Return where a part of the observation lies.

    >>> part("hand"), part("named_cards")
    (slice(0, 48, None), slice(48, 96, None))
    """
    start = 0
    for each, size in LAYOUT:
        if each == name:
            return slice(start, start + size)
        start += size
    raise KeyError(name)


def observe(view: MatchView, selection: Selection = NO_SELECTION) -> Vector:
    """Return the observation of the viewer of a match, who must have a seat."""
    found = np.zeros(SIZE, np.float32)
    write_observation(found, view, selection)
    return found


def write_observation(found: Vector, view: MatchView, selection: Selection = NO_SELECTION) -> None:
    """Write an observation into a vector of zeros or an older observation."""
    shown = view.round
    seat = shown.seat
    if seat is None or shown.hand is None:
        raise ValueError("A spectator has no observation: give the view of a seat.")
    places = [(seat + offset) % shown.rules.players for offset in range(shown.rules.players)]
    found[:_CARDS_END] = _card_bits(shown, selection, places)
    numbers = [*_play_numbers(shown.current >> COMBINATION_AT), *_play_numbers(selection.combination)]
    for place in places:
        numbers += _seat_numbers(view, place, seat)
    numbers += [0.0] * (_SEAT * (SEATS - len(places)))
    numbers += [float(shown.expects is each) for each in _EXPECTS]
    numbers += [shown.passes / 2, float(shown.is_mine)]
    numbers += [float(amount in shown.bets_open) for amount in BET_AMOUNTS]
    numbers += rule_numbers(shown.rules)
    numbers += [min(shown.number / _MOST_ROUNDS, 1.0), (view.length.target or 0) / _MOST_POINTS]
    numbers.append((view.length.rounds or 0) / _MOST_ROUNDS)
    found[_CARDS_END:] = numbers


def _card_bits(shown: RoundView, selection: Selection, places: list[int]) -> NDArray[np.uint8]:
    """Return the sets of cards in the order of _CARD_SETS, one number for each card."""
    played = played_by_seat(shown)
    empty = (0,) * (SEATS - len(places))
    words = _WORDS.pack(
        shown.hand or 0,
        selection.cards,
        *(played[place] for place in places),
        *empty,
        *(_relative(shown.captured[place], places) for place in places),
        *empty,
        _relative(shown.pile, places),
        shown.current & HAND_BITS,
    )
    bits: NDArray[np.uint8] = np.unpackbits(np.frombuffer(words, np.uint8), bitorder="little")
    cards: NDArray[np.uint8] = bits[_BITS]
    return cards


def _relative(pile: int, places: list[int]) -> int:
    """Return a pile with its face cards in the order of the places."""
    faces = 0
    for position, place in enumerate(places):
        faces |= (pile >> 45 + 3 * place & 7) << 45 + 3 * position
    return pile & ((1 << 45) - 1) | faces


def played_by_seat(shown: RoundView) -> list[int]:
    """Return the cards that each seat has played in this round."""
    played = [0] * shown.rules.players
    for trick in shown.tricks:
        for seat, play in trick.entries:
            played[seat] |= play & HAND_BITS
    for seat, play in shown.trick:
        played[seat] |= play & HAND_BITS
    return played


@lru_cache(512)
def _play_numbers(number: int) -> tuple[float, ...]:
    """Return the kind, the top, the width and the length of a combination; zeros for number 0."""
    if not number:
        return (0.0,) * _PLAY
    kinds = (float(KIND[number] is each) for each in _KINDS)
    return (*kinds, TOP[number] / 13, WIDTH[number] / 8, LENGTH[number] / 12)


def _seat_numbers(view: MatchView, place: int, observer: int) -> list[float]:
    """Return the size of a hand, its face cards, the bet, its place in the round, and its points."""
    shown = view.round
    bet = shown.bets[place]
    faces = shown.faces[place]
    return [
        shown.counts[place] / _MOST_CARDS,
        float(faces & 1),
        float(faces >> 1 & 1),
        float(faces >> 2 & 1),
        float(bet is not None),
        (bet or 0) / BET_AMOUNTS[-1],
        float(shown.out[:1] == (place,)),
        float(place in shown.out[1:]),
        float(shown.to_act == place),
        float(shown.winner == place),
        float(shown.below == place),
        float(shown.dealer == place),
        float(shown.leader == place),
        min(max(view.totals[place] / _MOST_POINTS, 0.0), 1.0),
        float(place == observer),
    ]


@lru_cache(256)
def rule_numbers(rules: TableRules) -> tuple[float, ...]:
    """Return the terms of the rule set as numbers."""
    numbers: list[float] = []
    for name, values in _TERMS:
        numbers += [float(getattr(rules, name) is each) for each in values]
    numbers += [float(rules.players == SEATS), float(rules.has_dealer), rules.first_out_bonus / 5]
    numbers += [float(amount in {0, *rules.bet_amounts}) for amount in BET_AMOUNTS]
    return tuple(numbers)
