"""Cards in the terminal: the code that is typed to play them, in the colour of the suit."""

from dataclasses import dataclass
from typing import Final

from engine.cards.card import Card, Suit
from engine.cards.hand import cards_of
from engine.combinations.kinds import combination_of
from engine.combinations.plays import cards_in, number_in
from engine.combinations.wilds import wilds_in

SHAPES: Final = dict(zip(Suit, "♦●▲♣■", strict=True))
COLOURS: Final = dict(zip(Suit, ("31", "38;5;208", "33", "32", "34"), strict=True))
FACE_COLOUR: Final = "35"
BOLD: Final = "1"
FAINT: Final = "2"


@dataclass(frozen=True, slots=True)
class Paint:
    """The features of the terminal: colours, and symbols for suits."""

    colours: bool = False
    shapes: bool = False

    def in_colour(self, text: str, colour: str) -> str:
        """Return the text in a colour, if colours are enabled."""
        return f"\033[{colour}m{text}\033[0m" if self.colours else text

    def bold(self, text: str) -> str:
        """Return bold text."""
        return self.in_colour(text, BOLD)

    def faint(self, text: str) -> str:
        """Return faint text."""
        return self.in_colour(text, FAINT)

    def shape(self, suit: Suit) -> str:
        """Return the symbol of a suit, or a space if symbols are disabled."""
        return self.in_colour(SHAPES[suit], COLOURS[suit]) if self.shapes else " "

    def card(self, card: Card) -> str:
        """Return the code of a card in its colour."""
        return self.in_colour(str(card), FACE_COLOUR if card.suit is None else COLOURS[card.suit])

    def cards(self, cards: int) -> str:
        """Return cards sorted by rank."""
        return " ".join(self.card(card) for card in sorted(cards_of(cards), key=_rank_first))

    def play(self, play: int) -> str:
        """Return a play: its cards, its combination and what its wild cards stand for."""
        combination = combination_of(number_in(play))
        wilds = [f"{wild.face} as {wild.stands_for}" for wild in wilds_in(cards_in(play), combination)]
        meaning = "; ".join([str(combination), *wilds])
        return f"{self.cards(cards_in(play))}  {self.faint(f'({meaning})')}"


def _rank_first(card: Card) -> tuple[int, int]:
    return card.rank, -1 if card.suit is None else card.suit
