"""Short notation for cards and combinations in tests."""

from engine.cards.hand import cards_of, mask_of, parse_cards
from engine.combinations.kinds import Combination, Kind, combination_of
from engine.combinations.plays import cards_in, number_in


def cards(codes: str) -> int:
    """Return the mask of cards given as codes."""
    return mask_of(parse_cards(codes))


def a_set(top: int, width: int) -> int:
    """Return the number of a set."""
    return Combination(Kind.SET, top, width, 1).number


def a_run(top: int, length: int) -> int:
    """Return the number of a run."""
    return Combination(Kind.RUN, top, 1, length).number


def a_stair(top: int, width: int, length: int) -> int:
    """Return the number of a stair."""
    return Combination(Kind.STAIR, top, width, length).number


def a_bomb(level: int) -> int:
    """Return the number of a bomb."""
    return Combination(Kind.BOMB, level, 0, 0).number


def texts(numbers: list[int] | tuple[int, ...]) -> list[str]:
    """Return combinations in words."""
    return [str(combination_of(number)) for number in numbers]


def plays(found: list[int] | tuple[int, ...]) -> list[str]:
    """Return plays in words: the cards, and the combination they are played as."""
    return [
        f"{' '.join(map(str, cards_of(cards_in(play))))}: {combination_of(number_in(play))}" for play in found
    ]
