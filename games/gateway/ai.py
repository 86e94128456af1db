"""Moves of AI levels, fallback moves, hints and analyses."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import Any, Final, assert_never

from django.conf import settings

from engine.ai.analysis import Analysed, analyse
from engine.ai.hard import choose as choose_hard
from engine.ai.interface import Budget
from engine.ai.levels import LEVELS, level
from engine.ai.turn import action_of
from engine.cards.card import RANKS
from engine.cards.hand import RANK_MASK, mask_of
from engine.combinations.memo import set_memory_limit
from engine.combinations.plays import NO_PLAY, play_of
from engine.combinations.sets import sets_of
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.state import RoundState, start_round
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView, view_round
from engine.views.serialization import serialize_play
from games.gateway.agreement import Agreement
from games.gateway.refusals import translate_refusals
from games.gateway.table import Table, parse_action, parse_cards

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


def validate_level(name: str, *, at: str) -> str:
    """The name of a level; refused, pointing to the field, where there is none."""
    with translate_refusals(at=at):
        level(name)
    return name


def choose_action(view: RoundView, name: str) -> Choice:
    """What the level of this name does as the seat to act, from its own view alone.

    A level that searches may take as much CPU as the settings say; what other threads use does not count.
    """
    rng = Random(secrets.randbits(128))  # noqa: S311 -- seeded by the system, and no secret hangs on it
    budget = Budget(milliseconds=settings.HAGGIS_AI_MILLISECONDS, clock=thread_time)
    return _as_choice(level(name)(view, rng, budget))


def fallback_action(view: RoundView, totals: list[int]) -> Choice:
    """A move that the rules always allow, for a seat that nobody thinks for.

    A bombed trick goes to the opponent with the fewest points; whoever may pass does; else the lowest single
    card is led, without a wild card where there is another.
    """
    if view.expects is Expects.AWARD:
        return _as_choice(Award(min(view.awards, key=lambda seat: (totals[seat], seat))))
    if view.expects is Expects.PLAY_OR_PASS:
        return _as_choice(Pass())
    return _as_choice(action_of(_lowest_single(view)))


def _lowest_single(view: RoundView) -> int:
    """The lead of the lowest card, which is no wild card where there is another."""
    hand = view.hand or 0
    of_a_rank = (hand & RANK_MASK[rank] for rank in RANKS)
    lowest = next(filter(None, of_a_rank), hand)
    card = lowest & -lowest
    (number,) = sets_of(card)
    return play_of(number, card)


def _as_choice(action: Action) -> Choice:
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


Form = dict[str, Any]

# What a hint may cost: a fraction of a decision of the level.
HINT_SIMULATIONS: Final = 100


def analyse_decisions(
    agreement: Agreement, dealt: Form, entries: list[Form], first: int
) -> Iterator[tuple[int, Form | None]]:
    """From the entry with this number on: its number, and what is to say of it if it is a play or pass."""
    state = _start_round(agreement, dealt)
    for number, entry in enumerate(entries):
        action = parse_action({**entry, "as": entry["combination"]})
        before, seat = state, entry["seat"]
        applied = apply(state, seat, action)
        state = applied.state
        if number < first:
            continue
        if not isinstance(action, Play | Pass):
            yield number, None
            continue
        rng = Random(f"{entry['version']}/{seat}")  # noqa: S311 -- an analysis is the same whenever it is made
        yield number, _decision(entry, analyse(view_round(before, seat), applied.play, rng))


def _start_round(agreement: Agreement, dealt: Form) -> RoundState:
    """The round as it was dealt."""
    return start_round(
        agreement.rules,
        number=dealt["number"],
        dealer=dealt["dealer"],
        leader=dealt["leader"],
        dealt=tuple(mask_of(parse_cards(hand)) for hand in dealt["hands"]),
        haggis=mask_of(parse_cards(dealt["haggis"])),
    )


def _decision(entry: Form, found: Analysed) -> Form:
    return {
        "version": entry["version"],
        "round": entry["round"],
        "seat": entry["seat"],
        "by": entry["by"],
        "made": _move(found.made),
        "best": _move(found.best),
        "cost": round(found.cost, 1),
        "chance": round(found.chance, 2),
        "best_chance": round(found.best_chance, 2),
    }


def _move(play: int) -> Form:
    if play == NO_PLAY:
        return {"type": "pass", "cards": None, "combination": None}
    form = serialize_play(play)
    return {"type": "play", "cards": form["cards"], "combination": form["combination"]}


def choose_hint(table: Table, seat: int, *, match_id: str, version: int) -> Form:
    """What `hard` would do in this seat; the same however often it is asked."""
    rng = Random(f"{match_id}/{version}/{seat}")  # noqa: S311 -- asking again is to tell nothing more
    action = choose_hard(table.view(seat), rng, Budget(simulations=HINT_SIMULATIONS))
    nothing = {"cards": None, "combination": None, "amount": None, "to": None}
    match action:
        case Play():
            chosen = apply(table.state.round, seat, action).play
            return nothing | _move(chosen)
        case Pass():
            return nothing | {"type": "pass"}
        case Bet():
            return nothing | {"type": "bet", "amount": action.amount}
        case Award():
            return nothing | {"type": "award", "to": action.to}
        case _:
            assert_never(action)


__all__ = ["set_memory_limit"]
