"""Follow another play at the least cost, or pass if every play costs more than one face card.

A bomb is saved for the moment when it decides the round: when the rest of the hand goes out with the next
lead.
"""

from engine.ai.greedy.groups import faces_in, is_bomb, top
from engine.combinations.plays import NO_PLAY, cards_in
from engine.combinations.rules import CombinationRules
from engine.plays.leading import leads

MOST_FACES = 1


def choose_follow(plays: list[int], hand: int, rules: CombinationRules) -> int:
    """Return the play to follow with, or NO_PLAY for a pass, when no play goes out at once."""
    ordinary = [play for play in plays if not is_bomb(play)]
    cheapest = min(ordinary, key=cost, default=NO_PLAY)
    if ordinary and faces_in(cheapest) <= MOST_FACES:
        return cheapest
    bombs = [play for play in plays if is_bomb(play)]
    deciding = [bomb for bomb in bombs if goes_out_next(hand ^ cards_in(bomb), rules)]
    return min(deciding, default=NO_PLAY)


def cost(play: int) -> tuple[int, int, int]:
    """Return the sort key of a play: its face cards, then its top, then the play itself as a tie-break."""
    return faces_in(play), top(play), play


def goes_out_next(hand: int, rules: CombinationRules) -> bool:
    """Return whether one lead sheds the whole hand."""
    return any(cards_in(play) == hand for play in leads(hand, rules))
