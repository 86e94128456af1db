"""Find every play that beats the current one: the same shape with a higher top, or a bomb."""

from engine.cards.hand import FACES_AT
from engine.combinations.bombs import bombs_in
from engine.combinations.kinds import FIRST_BOMB, KIND, LAST_OF_SHAPE, TOP, WIDTH, Kind
from engine.combinations.plays import COMBINATION_AT, between
from engine.combinations.rules import CombinationRules, up_to_ten
from engine.combinations.runs import runs_in
from engine.combinations.sets import SINGLE_FACES, sets_of_width_at
from engine.combinations.stairs import stairs_above


def follows(hand: int, current: int, rules: CombinationRules) -> list[int]:
    """Return every play of the hand that beats the play `current`, in a stable order, bombs last."""
    number = current >> COMBINATION_AT
    plays = _same_shape(hand, number, rules.suits)
    if not rules.above_ten:
        plays = up_to_ten(plays)
    bombs = bombs_in(hand)
    if number >= FIRST_BOMB:
        return [bomb for bomb in bombs if bomb >> COMBINATION_AT > number]
    plays.extend(bombs)
    return plays


def _same_shape(hand: int, number: int, suits: int) -> list[int]:
    match KIND[number]:
        case Kind.SET:
            return _sets_above(hand, number)
        case Kind.RUN:
            return _runs_above(hand, number, suits)
        case Kind.STAIR:
            return stairs_above(number, hand, suits)
        case _:
            return []


def _sets_above(hand: int, number: int) -> list[int]:
    width, top = WIDTH[number], TOP[number]
    sets: list[int] = []
    for rank in range(top + 1, 11):
        sets.extend(sets_of_width_at(width, rank, hand))
    if width == 1:
        sets.extend([play for play in SINGLE_FACES[hand >> FACES_AT] if TOP[play >> COMBINATION_AT] > top])
    return sets


def _runs_above(hand: int, number: int, suits: int) -> list[int]:
    runs: list[int] = []
    for suit in range(suits):
        runs.extend(between(number + 1, LAST_OF_SHAPE[number], runs_in(suit, hand)))
    return runs
