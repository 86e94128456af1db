"""What to lead: many cards at once, low ones first, no wild cards.

When an opponent is nearly out: what that opponent can hardly beat.
"""

from collections.abc import Iterable

from engine.ai.greedy.groups import faces_in, groups, is_bomb, size, top

NEARLY_OUT = 2


def choose_lead(plays: list[int], hand: int, suits: int, opposing: int) -> int:
    """The play to lead, where none goes out at once; `opposing` are the cards of who has fewest.

    A hand that cannot go out at once holds a suit card, since face cards alone are a single or a bomb. So
    there is a group.
    """
    if opposing <= NEARLY_OUT:
        return hardest_to_beat([play for play in plays if not is_bomb(play)], opposing)
    return groups(hand, suits)[0]


def hardest_to_beat(plays: Iterable[int], opposing: int) -> int:
    """Few face cards, if possible more cards than the opponent holds, and as large and high as can be."""
    return min(
        plays, key=lambda play: (faces_in(play), size(play) <= opposing, -size(play), -top(play), play)
    )
