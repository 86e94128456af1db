"""Brute force itself, compared with an even more literal reading of the rules and with their examples."""

from collections import Counter
from itertools import product

import pytest

from tests.engine.brute_force import CODES, Combination, Stands, combinations_of, plays_of, rank_of
from tests.engine.randomness import seeded

SUITS = "royg"


def literally(cards: list[str], stands: Stands) -> set[Combination]:
    """Return the combinations after replacing each face card by every card that it may stand for."""
    suit_cards = [card for card in cards if card not in "JQK"]
    may_be = [
        [code + suit for code in CODES for suit in SUITS if stands == "any" or rank_of(code) <= rank_of(face)]
        for face in cards
        if face in "JQK"
    ]
    return {found for stood_for in product(*may_be) for found in sequences_in([*suit_cards, *stood_for])}


def sequences_in(cards: list[str]) -> set[Combination]:
    """Return the run or stair that these cards form without wild cards, ignoring sets and bombs."""
    suits = {card[1] for card in cards}
    by_suit = {suit: {rank_of(card) for card in cards if card[1] == suit} for suit in suits}
    ranks = next(iter(by_suit.values()))
    consecutive = max(ranks) - min(ranks) + 1 == len(ranks)
    same_in_each = all(others == ranks for others in by_suit.values())
    width, length = len(by_suit), len(ranks)
    long_enough = length >= 3 if width == 1 else length >= 2
    if len(set(cards)) == len(cards) and consecutive and same_in_each and long_enough:
        return {Combination("run" if width == 1 else "stair", max(ranks), width, length)}
    return set()


@pytest.mark.parametrize("stands", ("lower", "any"))
@pytest.mark.parametrize(
    ("faces", "groups"), (("", 300), ("J", 120), ("K", 120), ("JQ", 40), ("QK", 40), ("JQK", 3))
)
def test_any_card_and_lower_card_wild_rules_give_the_same_runs_and_stairs(
    stands: Stands, faces: str, groups: int
) -> None:
    found: Counter[str] = Counter()
    for number in range(groups):
        rng = seeded(f"{faces} {number}")
        ranks, suits = rng.choice(("345", "89T", "9T", "678T")), rng.choice(("r", "ro", "roy"))
        deck = [rank + suit for rank in ranks for suit in suits]
        group = [*rng.sample(deck, min(len(deck), rng.randint(1, 6))), *faces]
        sequences = {one for one in combinations_of(group, SUITS, stands) if one.kind in {"run", "stair"}}
        assert sequences == literally(group, stands)
        found.update(one.kind for one in sequences)
    assert faces == "JQK" or min(found["run"], found["stair"]) > 0


def read(codes: str) -> list[Combination]:
    return sorted(combinations_of(codes.split(), SUITS))


def test_brute_force_agrees_with_the_worked_examples() -> None:
    assert read("Tr Tg J Q") == [("set", 10, 4, 1), ("stair", 10, 2, 2), ("stair", 11, 2, 2)]
    assert read("9r Tr J") == [("run", 10, 1, 3), ("run", 11, 1, 3)]
    assert read("3r J Q") == [("run", 4, 1, 3), ("run", 5, 1, 3), ("set", 3, 3, 1)]
    assert read("5r J Q K") == [
        *(("run", top, 1, 4) for top in (5, 6, 7, 8)),
        ("set", 5, 4, 1),
        ("stair", 5, 2, 2),
        ("stair", 6, 2, 2),
    ]


def test_bombs_are_ordered_from_low_to_high() -> None:
    in_order = ("3r 5o 7y 9g", "J Q", "J K", "Q K", "J Q K", "3r 5r 7r 9r")
    assert [read(bomb) for bomb in in_order] == [[("bomb", level, 0, 0)] for level in range(1, 7)]


@pytest.mark.parametrize("codes", ("", "3r 5o 7y 9y", "3r 5r 7r J", "2r 3g", "2r 3r", "4r 4g 6r 6g"))
def test_cards_without_a_combination(codes: str) -> None:
    assert read(codes) == []


def test_the_plays_of_a_hand_include_all_subsets() -> None:
    assert {(" ".join(sorted(cards)), one.kind) for cards, one in plays_of(["7r", "7g", "J"], "royg")} == {
        ("7r", "set"),
        ("7g", "set"),
        ("J", "set"),
        ("7g 7r", "set"),
        ("7r J", "set"),
        ("7g J", "set"),
        ("7g 7r J", "set"),
    }
