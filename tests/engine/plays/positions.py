"""Hands for comparing the engine with brute force, from decks in which rare cases are common."""

from collections.abc import Callable, Iterator
from random import Random

from engine.cards.card import Card
from engine.cards.hand import cards_of, mask_of
from engine.combinations.kinds import combination_of
from engine.combinations.plays import cards_in, number_in
from tests.engine.brute_force import Combination, Play
from tests.engine.randomness import seeded

RANKS = "23456789T"
FACES = "JQK"
SUITS = "roygb"
DECKS = ("royg", "roygb")


def _window(rng: Random, suits: str, ranks: int) -> list[str]:
    """Return a few consecutive ranks, in all suits."""
    low = rng.randrange(len(RANKS) - ranks + 1)
    return [rank + suit for rank in RANKS[low : low + ranks] for suit in suits]


def _few_suits(rng: Random, suits: str, count: int) -> list[str]:
    """Return all ranks, in a few suits."""
    return [rank + suit for suit in rng.sample(suits, count) for rank in RANKS]


def _block(rng: Random, suits: str) -> list[str]:
    """Return the same consecutive ranks in a few suits, and a few other cards."""
    width = rng.randint(2, len(suits))
    length = rng.randint(2, 14 // width)
    low = rng.randrange(len(RANKS) - length + 1)
    chosen = rng.sample(suits, width)
    block = [rank + suit for rank in RANKS[low : low + length] for suit in chosen]
    rest = [rank + suit for rank in RANKS for suit in suits if rank + suit not in block]
    return block + rng.sample(rest, rng.choice((0, 0, 1, 2)))


def _two_of_each_rank(rng: Random, suits: str) -> list[str]:
    """Return pairs of all ranks, mostly in the same two suits."""
    usual = rng.sample(suits, 2)
    return [
        rank + suit for rank in RANKS for suit in (rng.sample(suits, 2) if rng.random() < 1 / 4 else usual)
    ]


DEALS: dict[str, Callable[[Random, str], list[str]]] = {
    "the whole deck": lambda _, suits: [rank + suit for suit in suits for rank in RANKS],
    "two or three ranks": lambda rng, suits: _window(rng, suits, rng.choice((2, 3, 3))),
    "four or five ranks": lambda rng, suits: _window(rng, suits, rng.choice((4, 5))),
    "seven to ten": lambda rng, suits: [rank + suit for rank in "789T"[rng.randrange(3) :] for suit in suits],
    "one or two suits": lambda rng, suits: _few_suits(rng, suits, rng.choice((1, 2, 2))),
    "three suits": lambda rng, suits: _few_suits(rng, suits, 3),
    "a block": _block,
    "pairs": _two_of_each_rank,
    "point cards": lambda _, suits: [rank + suit for rank in "3579" for suit in suits],
}


def hands(deal: str, suits: str, count: int, *, sizes: range = range(1, 13)) -> Iterator[list[str]]:
    """Yield hands, half of them of the largest of these sizes, half of them with all three face cards."""
    for number in range(count):
        rng = seeded(f"{deal} {suits} {number}")
        size = rng.choice((rng.choice(sizes), sizes[-1]))
        faces = rng.sample(FACES, min(size, rng.choice((0, 1, 2, 3, 3, 3))))
        deck = DEALS[deal](rng, suits)
        yield rng.sample(deck, min(size - len(faces), len(deck))) + faces


def hand_of(cards: list[str]) -> int:
    """Return the hand as the engine represents it."""
    return mask_of(Card.parse(card) for card in cards)


def combination_at(number: int) -> Combination:
    """Return a combination of the engine as brute force represents it."""
    combination = combination_of(number)
    return Combination(combination.kind.value, combination.top, combination.width, combination.length)


def play_at(play: int) -> Play:
    """Return a play of the engine as brute force represents it."""
    return Play(frozenset(map(str, cards_of(cards_in(play)))), combination_at(number_in(play)))
