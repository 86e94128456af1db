"""What to lead: many cards at once, low ones first, no wild cards. It is the first group of the hand."""

from engine.ai.greedy.groups import is_bomb, largest_and_lowest_first
from engine.cards.hand import FACES
from engine.combinations.rules import CombinationRules
from engine.plays.leading import leads


def choose_lead(hand: int, rules: CombinationRules) -> int:
    """The play to lead, where none goes out at once.

    A hand that cannot go out at once holds a suit card, since face cards alone are a single or a bomb. So
    there is a group.
    """
    natural = leads(hand & ~FACES, rules)
    return min((play for play in natural if not is_bomb(play)), key=largest_and_lowest_first)
