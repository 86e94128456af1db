"""Encode what a seat knows when it is to act as one row of integers, so that many views form one array.

Everything in a row is in the seat's view. Opponents are in the order in which they act after the seat.
"""

from typing import Final

from engine.ai.network.passed import NOTHING_PASSED, Passed, passed_so_far
from engine.cards.hand import FACES_AT, SUIT_CARD_BITS, deck_mask
from engine.combinations.plays import COMBINATION_AT, NO_PLAY
from engine.rounds.passing import passes_that_end
from engine.rounds.position import Position
from engine.rulesets.model import TableRules
from engine.rulesets.terms import BombCapture, CardPoints, FinalHand, Haggis
from engine.views.round_view import RoundView

Row = tuple[int, ...]

HAND: Final = 0
UNSEEN: Final = 1
PILE: Final = 2
CURRENT: Final = 3
WINNER: Final = 4
PASS_ENDS: Final = 5
OUT: Final = 6
TERMS: Final = 7
FIRST_OPPONENT: Final = 8
COUNT, FACES_HELD, PASSED = 0, 1, 2
OPPONENT_WIDTH: Final = 2 + len(NOTHING_PASSED)


def terms_bits(rules: TableRules) -> int:
    """Return the terms that affect what a round is worth, one bit for each."""
    terms = (
        rules.card_points is CardPoints.ONE_PER_CARD,
        rules.final_hand is FinalHand.FIRST_OUT,
        rules.haggis is Haggis.FIRST_OUT,
        rules.haggis is Haggis.LAST_TO_PLAY,
        bool(rules.first_out_bonus),
        rules.bomb_capture is not BombCapture.WINNER_CHOOSES,
    )
    return sum(1 << place for place, holds in enumerate(terms) if holds)


def row_of(position: Position, passed: tuple[Passed, ...], terms: int) -> Row:
    """Return what the seat to act knows of a position, and nothing else."""
    seat, players, hands = position.to_act, position.table.players, position.hands
    hand = hands[seat]
    seen = position.pile
    for captured in position.captured:
        seen |= captured
    pass_ends = position.current != NO_PLAY and position.passes + 1 >= passes_that_end(position)
    row: Row = (
        hand,
        deck_mask(players) & ~(hand | seen) & SUIT_CARD_BITS,
        position.pile,
        position.current >> COMBINATION_AT,
        (position.winner - seat) % players if position.current else 0,
        int(pass_ends),
        len(position.out),
        terms,
    )
    for step in range(1, players):
        other = (seat + step) % players
        row += (hands[other].bit_count(), hands[other] >> FACES_AT, *passed[other])
    return row


def row_of_view(view: RoundView) -> Row:
    """Return the same row from a view, with placeholders for the other hands."""
    hands = tuple(
        view.hand if seat == view.seat and view.hand is not None else placeholder_hand(count, faces)
        for seat, (count, faces) in enumerate(zip(view.counts, view.faces, strict=True))
    )
    return row_of(view.position_with(hands), passed_so_far(view), terms_bits(view.rules))


def placeholder_hand(count: int, faces: int) -> int:
    """Return a placeholder hand of this size with these face cards; its suit cards are never used."""
    return faces << FACES_AT | (1 << count - faces.bit_count()) - 1
