"""Cards as the terminal shows them: the code that is typed to play them, in the colour of the suit."""

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
    """What the terminal can show: colours (not through a pipe), shapes (where its characters have them)."""

    colours: bool = False
    shapes: bool = False

    def in_colour(self, text: str, colour: str) -> str:
        """The text in this colour and back, where there are colours."""
        return f"\033[{colour}m{text}\033[0m" if self.colours else text

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return self.in_colour(text, BOLD)

    def faint(self, text: str) -> str:
        """Text that stays in the background."""
        return self.in_colour(text, FAINT)

    def shape(self, suit: Suit) -> str:
        """The shape of a suit, where shapes can be shown."""
        return self.in_colour(SHAPES[suit], COLOURS[suit]) if self.shapes else " "

    def card(self, card: Card) -> str:
        """The code of a card, in its colour."""
        return self.in_colour(str(card), FACE_COLOUR if card.suit is None else COLOURS[card.suit])

    def cards(self, cards: int) -> str:
        """Cards sorted by rank."""
        return " ".join(self.card(card) for card in sorted(cards_of(cards), key=_rank_first))

    def play(self, play: int) -> str:
        """A play: its cards, what it is, and what its wild cards stand for."""
        combination = combination_of(number_in(play))
        wilds = [f"{wild.face} as {wild.stands_for}" for wild in wilds_in(cards_in(play), combination)]
        meaning = "; ".join([str(combination), *wilds])
        return f"{self.cards(cards_in(play))}  {self.faint(f'({meaning})')}"


def _rank_first(card: Card) -> tuple[int, int]:
    return card.rank, -1 if card.suit is None else card.suit
