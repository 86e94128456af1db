"""Define a card: a rank, and a suit unless it is a face card.

>>> Card.parse("7g"), str(Card.parse("J"))
(Card('7g'), 'J')
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.errors import Malformed

JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13

RANKS: Final = tuple(range(2, 11))
FACE_RANKS: Final = (JACK, QUEEN, KING)
RANK_CODES: Final = dict(zip(range(2, 14), "23456789TJQK", strict=True))


class Suit(IntEnum):
    """The five suits in the order of the deck; two players use the first four."""

    RED = 0
    ORANGE = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4

    @property
    def code(self) -> str:
        """The suit's letter in card codes."""
        return "roygb"[self]


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Card:
    """A suit card (2 to T in a suit) or a face card (J, Q, K, of no suit)."""

    rank: int
    suit: Suit | None = None

    @classmethod
    def parse(cls, code: str) -> "Card":
        """Parse a card code; raise `Malformed` if there is no such card."""
        try:
            return _CARDS[code]
        except (KeyError, TypeError):
            raise Malformed("unknown_card", "There is no card '{card}'.", card=code) from None

    @property
    def is_face(self) -> bool:
        """Whether it is a J, Q or K, which may stand for other cards."""
        return self.suit is None

    def __str__(self) -> str:
        """Return the card code, which `Card.parse` parses back."""
        return RANK_CODES[self.rank] + ("" if self.suit is None else self.suit.code)

    def __repr__(self) -> str:
        """Return the card code instead of the fields."""
        return f"Card({str(self)!r})"


SUIT_CARDS: Final = tuple(Card(rank, suit) for suit in Suit for rank in RANKS)
FACE_CARDS: Final = tuple(Card(rank) for rank in FACE_RANKS)
_CARDS: Final = {str(card): card for card in SUIT_CARDS + FACE_CARDS}


def parse_cards(codes: str) -> tuple[Card, ...]:
    """Parse card codes separated by spaces.

    >>> parse_cards("Tr Tg J")
    (Card('Tr'), Card('Tg'), Card('J'))
    """
    return tuple(Card.parse(code) for code in codes.split())
