"""Determine which card each wild card of a combination stands for.

A face card that stands for its own rank is not wild. If several placements form the same combination, one is
chosen deterministically: the card's own rank if it is needed there, else the lowest face card that may stand
for a rank above ten, else the lowest face card for the lowest gap.
"""

from dataclasses import dataclass

from engine.cards.card import RANK_CODES, Card, Suit
from engine.cards.hand import RANK_MASK, SUIT_CARD_BITS, SUIT_MASK, cards_of
from engine.combinations.kinds import Combination, Kind
from engine.combinations.ladders import HIGHEST_SUIT_RANK


@dataclass(frozen=True, slots=True)
class Wild:
    """A face card and what it stands for: a rank, and a suit if the combination needs one."""

    face: Card
    rank: int
    suit: Suit | None

    @property
    def stands_for(self) -> str:
        """What it stands for: `8g` in a run, `8` in a set, `J` in a stair of jacks."""
        return RANK_CODES[self.rank] + ("" if self.suit is None else self.suit.code)


def wilds_in(cards: int, combination: Combination) -> tuple[Wild, ...]:
    """Return the wild cards among these cards when they are played as this combination.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> [(str(wild.face), wild.stands_for) for wild in wilds_in(
    ...     mask_of(parse_cards("9r Tr J")), Combination(Kind.RUN, 10, 1, 3))]
    [('J', '8r')]
    """
    faces = list(cards_of(cards & ~SUIT_CARD_BITS))
    if combination.kind is Kind.BOMB or (
        combination.kind is Kind.SET and combination.top > HIGHEST_SUIT_RANK
    ):
        return ()
    if combination.kind is Kind.SET:
        return tuple(Wild(face, combination.top, None) for face in faces)
    above = _fill_above_ten(faces, combination)
    gaps = _gaps(cards & SUIT_CARD_BITS, combination)
    below = tuple(Wild(face, rank, suit) for face, (rank, suit) in zip(faces, gaps, strict=True))
    return tuple(sorted(above + below, key=lambda wild: wild.face.rank))


def _fill_above_ten(faces: list[Card], combination: Combination) -> tuple[Wild, ...]:
    """Remove the face cards needed above ten from `faces`; return those that do not keep their own rank."""
    wilds = []
    for rank in range(combination.top, HIGHEST_SUIT_RANK, -1):
        for _ in range(combination.width):
            face = next(face for face in faces if face.rank >= rank)
            faces.remove(face)
            if face.rank != rank:
                wilds.append(Wild(face, rank, None))
    return tuple(wilds)


def _gaps(suit_cards: int, combination: Combination) -> list[tuple[int, Suit]]:
    """Return the ranks up to ten and the suits of a ladder that no suit card fills, lowest first."""
    lowest = combination.top - combination.length + 1
    highest = min(combination.top, HIGHEST_SUIT_RANK)
    return [
        (rank, suit)
        for rank in range(lowest, highest + 1)
        for suit in _suits_of(suit_cards, combination.width)
        if not suit_cards & RANK_MASK[rank] & SUIT_MASK[suit]
    ]


def _suits_of(suit_cards: int, width: int) -> list[Suit]:
    """Return the suits of a ladder: those of its suit cards, then the first other suits if it is wider."""
    own = [suit for suit in Suit if suit_cards & SUIT_MASK[suit]]
    others = [suit for suit in Suit if suit not in own]
    return sorted(own + others[: width - len(own)])
