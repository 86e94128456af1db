"""Number the actions, the same numbers for all rule sets and numbers of players.

| numbers | action |
| --- | --- |
| 0 | pass |
| 1 to 4 | bet 0 (declare no bet), 5, 15 or 30 |
| 5, 6 | award the bombed trick to the next player, to the one after |
| 7 to 249 | play the combination with this number (`engine.combinations.kinds`), from 1 |
| 250 to 297 | choose a card of the hand, while several sets of cards form the combination |

A play may therefore take several steps: first the combination, then cards of it until only one set of cards
is left. No play is out of reach, and a play that leaves no choice takes one step.
"""

from typing import Final

from engine.cards.hand import HAND_BITS, cards_of
from engine.combinations.kinds import COMBINATIONS, combination_of
from engine.combinations.plays import COMBINATION_AT

PASS: Final = 0
BET_AMOUNTS: Final = (0, 5, 15, 30)
FIRST_BET: Final = 1
FIRST_AWARD: Final = FIRST_BET + len(BET_AMOUNTS)
FIRST_PLAY: Final = FIRST_AWARD + 2
FIRST_CARD: Final = FIRST_PLAY + len(COMBINATIONS)
HAND_CARDS: Final = HAND_BITS.bit_length()
ACTIONS: Final = FIRST_CARD + HAND_CARDS

_AWARDS: Final = ("the next player", "the player after the next")


def bet_action(amount: int) -> int:
    """Return the number of a bet."""
    return FIRST_BET + BET_AMOUNTS.index(amount)


def award_action(seat: int, to: int, players: int) -> int:
    """Return the number of the award from one seat to another."""
    return FIRST_AWARD + (to - seat) % players - 1


def play_action(play: int) -> int:
    """Return the number that begins a play: that of its combination."""
    return FIRST_PLAY + (play >> COMBINATION_AT) - 1


def card_actions(cards: int) -> list[int]:
    """Return the numbers of some cards, given as bits of a hand."""
    numbers = []
    while cards:
        lowest = cards & -cards
        numbers.append(FIRST_CARD + lowest.bit_length() - 1)
        cards ^= lowest
    return numbers


def describe(action: int) -> str:
    """Return an action in words.

    >>> [describe(action) for action in (0, 3, 5, 7, 297)]
    ['pass', 'bet 15', 'award to the next player', 'play single two', 'with K']
    """
    if action == PASS:
        return "pass"
    if action < FIRST_AWARD:
        return f"bet {BET_AMOUNTS[action - FIRST_BET]}"
    if action < FIRST_PLAY:
        return f"award to {_AWARDS[action - FIRST_AWARD]}"
    if action < FIRST_CARD:
        return f"play {combination_of(action - FIRST_PLAY + 1)}"
    return f"with {cards_of(1 << action - FIRST_CARD)[0]}"
