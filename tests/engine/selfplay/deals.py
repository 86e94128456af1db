"""Random deals: whole ones, and thin ones in which much happens soon."""

from random import Random

from engine.cards.card import Card
from engine.cards.deck import DEALT_CARDS, deck_for, haggis_size
from engine.deals.deal import Deal
from tests.engine.randomness import seeded

POINT_RANKS = {3, 5, 7, 9}


class Dealer:
    """The source of a match's deals; it counts how often it is called."""

    def __init__(self, players: int, rng: Random, *, thin: bool = False) -> None:
        self.players = players
        self.rng = rng
        self.thin = thin
        self.dealt: list[int] = []

    def __call__(self, number: int) -> Deal:
        """Deal a round: 14 cards each or, if thin, 1 to 5 among which bombs are common."""
        self.dealt.append(number)
        deck = list(deck_for(self.players))
        if self.thin:
            return self._thin(deck)
        self.rng.shuffle(deck)
        hands, haggis = deck[: -haggis_size(self.players)], deck[-haggis_size(self.players) :]
        dealt = [hands[start : start + DEALT_CARDS] for start in range(0, len(hands), DEALT_CARDS)]
        return Deal(tuple(map(tuple, dealt)), tuple(haggis))

    def copy(self) -> "Dealer":
        """Return an independent copy with the same state, for trying actions out."""
        return Dealer(self.players, seeded("tried"), thin=self.thin)

    def _thin(self, deck: list[Card]) -> Deal:
        """Return a few cards for each, most of them bomb cards, or of few ranks."""
        ranks = self.rng.choice((POINT_RANKS, set(self.rng.sample(range(2, 11), 3)), set(range(2, 11))))
        deck = [card for card in deck if card.rank in ranks]
        self.rng.shuffle(deck)
        hands = []
        for _ in range(self.players):
            size = self.rng.choice((1, 1, 2, 3, 4, 4))
            hands.append(tuple(deck.pop() for _ in range(min(size, len(deck) - 1))))
        return Deal(tuple(hands), tuple(deck[: haggis_size(self.players)]))
