"""What an AI does at a table, and what is done when it fails. Both know what the seat may see, no more."""

import secrets
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import Final, assert_never

from django.conf import settings

from engine.ai.interface import Budget
from engine.ai.levels import LEVELS, level
from engine.ai.turn import action_of
from engine.cards.card import RANKS
from engine.cards.hand import RANK_MASK
from engine.combinations.plays import play_of
from engine.combinations.sets import sets_of
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView
from games.gateway.refusals import refusals

# Who plays on for a seat whose player is away or gone.
CARETAKER_LEVEL: Final = "easy"
LEVEL_NAMES: Final = tuple(LEVELS)


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, and what the log calls it. It prints without its cards."""

    event: str
    action: Action

    def __repr__(self) -> str:
        """Name what is done, not with which cards."""
        return f"<{self.event}>"


def checked_level(name: str, *, at: str) -> str:
    """The name of a level; refused, pointing to the field, where there is none."""
    with refusals(at=at):
        level(name)
    return name


def choose(view: RoundView, name: str) -> Choice:
    """What the level of this name does as the seat to act, from its own view alone.

    A level that searches may take as much CPU as the settings say; what other threads use does not count.
    """
    rng = Random(secrets.randbits(128))  # noqa: S311 -- seeded by the system, and no secret hangs on it
    budget = Budget(milliseconds=settings.HAGGIS_AI_MILLISECONDS, clock=thread_time)
    return _named(level(name)(view, rng, budget))


def safe_choice(view: RoundView, totals: list[int]) -> Choice:
    """A move that the rules always allow, for a seat that nobody thinks for.

    A bombed trick goes to the opponent with the fewest points; whoever may pass does; else the lowest single
    card is led, without a wild card where there is another.
    """
    if view.expects is Expects.AWARD:
        return _named(Award(min(view.awards, key=lambda seat: (totals[seat], seat))))
    if view.expects is Expects.PLAY_OR_PASS:
        return _named(Pass())
    return _named(action_of(_lowest_single(view)))


def _lowest_single(view: RoundView) -> int:
    """The lead of the lowest card, which is no wild card where there is another."""
    hand = view.hand or 0
    of_a_rank = (hand & RANK_MASK[rank] for rank in RANKS)
    lowest = next(filter(None, of_a_rank), hand)
    card = lowest & -lowest
    (number,) = sets_of(card)
    return play_of(number, card)


def _named(action: Action) -> Choice:
    match action:
        case Play():
            return Choice("play", action)
        case Pass():
            return Choice("pass", action)
        case Bet():
            return Choice("bet", action)
        case Award():
            return Choice("award", action)
        case _:
            assert_never(action)
