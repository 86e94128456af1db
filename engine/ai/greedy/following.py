"""What to play on another's play: whatever costs least, nothing where that is too much.

A bomb is kept for the moment in which it decides: the rest goes out with the next lead, or an opponent soon
would.
"""

from engine.ai.greedy.groups import faces_in, groups, is_bomb, top
from engine.combinations.plays import NO_PLAY, cards_in
from engine.plays.leading import leads

# What a play costs, in face cards: each it holds, each group of the hand it breaks, each rank it goes up.
OF_A_FACE = 1.0
OF_A_BROKEN_GROUP = 0.3
OF_A_RANK = 0.1
TOO_MUCH = 3.2

NEAR_OUT = 4


def choose_follow(plays: list[int], hand: int, suits: int, opposing: int) -> int:
    """The play to follow with, or NO_PLAY for a pass, where none goes out at once."""
    ordinary = [play for play in plays if not is_bomb(play)]
    near_out = opposing <= NEAR_OUT
    if ordinary:
        held = groups(hand, suits)
        cheapest = min(ordinary, key=lambda play: (cost(play, held), play))
        if near_out or cost(cheapest, held) <= TOO_MUCH:
            return cheapest
    bombs = [play for play in plays if is_bomb(play)]
    deciding = [bomb for bomb in bombs if near_out or goes_out_next(hand ^ cards_in(bomb), suits)]
    return min(deciding, default=NO_PLAY)


def cost(play: int, held: list[int]) -> float:
    """What a play costs a hand of these groups."""
    return OF_A_FACE * faces_in(play) + OF_A_BROKEN_GROUP * broken(play, held) + OF_A_RANK * top(play)


def broken(play: int, held: list[int]) -> int:
    """How many groups the play takes some cards of and leaves others."""
    cards = cards_in(play)
    return sum(1 for group in held if cards_in(group) & cards and cards_in(group) & ~cards)


def goes_out_next(hand: int, suits: int) -> bool:
    """Whether one lead sheds the whole hand."""
    return any(cards_in(play) == hand for play in leads(hand, suits))
