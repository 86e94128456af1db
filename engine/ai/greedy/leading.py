"""Lead many cards at once, low ones first, without wild cards: the first group of the hand."""

from engine.ai.greedy.groups import is_bomb, largest_and_lowest_first
from engine.cards.hand import FACES
from engine.combinations.rules import CombinationRules
from engine.plays.leading import leads


def choose_lead(hand: int, rules: CombinationRules) -> int:
    """Return the play to lead when none goes out at once.

    A hand that cannot go out at once includes a suit card, since face cards alone are a single or a bomb. So
    there is always a group.
    """
    natural = leads(hand & ~FACES, rules)
    return min((play for play in natural if not is_bomb(play)), key=largest_and_lowest_first)
