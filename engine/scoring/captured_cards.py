"""Score captured cards: those of tricks and, depending on the rule set, the last hand and the haggis.

Either only point cards count (3, 5, 7, 9: 1 each, J 2, Q 3, K 5) or every card counts 1.

>>> from engine.cards.hand import mask_of, parse_cards, pile_of
>>> pile = pile_of(mask_of(parse_cards("2r 3r 9g J K")), seat=0)
>>> points_of(CardPoints.POINT_CARDS, pile), points_of(CardPoints.ONE_PER_CARD, pile)
(9, 5)
"""

from collections.abc import Mapping
from typing import Final, assert_never

from engine.cards.card import FACE_RANKS, RANKS
from engine.cards.hand import ALL_JACKS, ALL_KINGS, ALL_QUEENS, RANK_MASK
from engine.rulesets.model import TableRules
from engine.rulesets.terms import POINTS_OF_RANK, CardPoints, FinalHand, Haggis
from engine.scoring.finished import FinishedRound

_PILE_OF_RANK: Final = {rank: RANK_MASK[rank] for rank in RANKS} | dict(
    zip(FACE_RANKS, (ALL_JACKS, ALL_QUEENS, ALL_KINGS), strict=True)
)


def _piles_by_points(points_of_rank: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """Return one pile per distinct number of points, so that a captured pile is counted in a few steps."""
    piles: dict[int, int] = {}
    for rank, points in points_of_rank.items():
        piles[points] = piles.get(points, 0) | _PILE_OF_RANK[rank]
    return tuple((pile, points) for points, pile in piles.items())


_PILES_BY_POINTS: Final = {
    card_points: _piles_by_points(table) for card_points, table in POINTS_OF_RANK.items()
}


def points_of(card_points: CardPoints, pile: int) -> int:
    """Return what the cards of a pile are worth."""
    return sum(points * (pile & mask).bit_count() for mask, points in _PILES_BY_POINTS[card_points])


def final_hand_captor(rules: TableRules, finished: FinishedRound) -> int | None:
    """Return the seat that captures the cards left in the last player's hand, if any."""
    match rules.final_hand:
        case FinalHand.FIRST_OUT:
            return finished.first_out
        case FinalHand.NOBODY:
            return None
        case _:
            assert_never(rules.final_hand)


def haggis_captor(rules: TableRules, finished: FinishedRound) -> int | None:
    """Return the seat that captures the haggis, if any.

    If it goes to the last to play, it goes with the final trick: a bomb sends both to the same opponent.
    """
    match rules.haggis:
        case Haggis.FIRST_OUT:
            return finished.first_out
        case Haggis.LAST_TO_PLAY:
            return finished.final_captor
        case Haggis.NOBODY:
            return None
        case _:
            assert_never(rules.haggis)


def captured_cards(rules: TableRules, finished: FinishedRound, seat: int) -> int:
    """Return what a seat scores for all the cards it captured."""
    pile = finished.captured[seat]
    if seat == final_hand_captor(rules, finished):
        pile |= finished.last_hand
    if seat == haggis_captor(rules, finished):
        pile |= finished.haggis
    return points_of(rules.card_points, pile)
