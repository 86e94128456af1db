"""Moves of AI levels, fallback moves, hints and analyses."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic, thread_time
from typing import Final, assert_never

from django.conf import settings

from engine.ai.analysis import Analysed, analyse
from engine.ai.hard import choose as choose_hard
from engine.ai.interface import Budget
from engine.ai.levels import LEVELS, level
from engine.ai.turn import action_of
from engine.cards.card import RANKS
from engine.cards.hand import RANK_MASK
from engine.combinations.memo import set_memory_limit
from engine.combinations.plays import NO_PLAY, play_of
from engine.combinations.sets import sets_of
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView, view_round
from engine.views.serialization import serialize_play
from games.gateway.agreement import Agreement
from games.gateway.documents import DecisionDocument, HintDocument, LogEntry, MoveDocument
from games.gateway.positions import DealtRound, start_dealt_round
from games.gateway.refusals import translate_refusals
from games.gateway.table import Table, acting_seat, logged_action

__all__ = ["set_memory_limit"]

# The level that plays for a seat whose player is away or has resigned.
CARETAKER_LEVEL: Final = "easy"
LEVEL_NAMES: Final = tuple(LEVELS)


@dataclass(frozen=True, slots=True)
class Choice:
    """An action and its event type. Its repr shows no cards."""

    event: str
    action: Action

    def __repr__(self) -> str:
        """Show only the event type."""
        return f"<{self.event}>"


def validate_level(name: str, *, at: str) -> str:
    """Return the name of a level; raise `Problem`, pointing to the field, if it is unknown."""
    with translate_refusals(at=at):
        level(name)
    return name


def choose_action(view: RoundView, name: str, within: float | None = None) -> Choice:
    """Return the action of an AI level for the seat to act, based on that seat's view only.

    Levels that search have a budget of CPU time (`HAGGIS_AI_MILLISECONDS`), measured for this thread only. On
    a busy machine that lasts longer: with `within`, the search ends after that many seconds at the latest,
    but not before it would have ended on an idle machine.
    """
    rng = Random(secrets.randbits(128))  # noqa: S311 -- seeded by the system; not used for secrets
    milliseconds = settings.HAGGIS_AI_MILLISECONDS
    clock = thread_time if within is None else limited_clock(milliseconds / 1000, within)
    return _as_choice(level(name)(view, rng, Budget(milliseconds=milliseconds, clock=clock)))


def limited_clock(budget: float, within: float) -> Callable[[], float]:
    """Return a clock of CPU time that has used up the budget when `within` real seconds have passed."""
    started_at, pace = monotonic(), budget / max(within, budget)
    cpu_started_at = thread_time()
    return lambda: max(thread_time() - cpu_started_at, (monotonic() - started_at) * pace)


def fallback_action(view: RoundView, totals: list[int]) -> Choice:
    """Return a legal action without thinking, for a seat whose player or AI did not answer in time.

    Award a bombed trick to the opponent with the fewest points, pass if that is allowed, or lead the lowest
    single card, which is a wild card only if the hand has no other.
    """
    if view.expects is Expects.AWARD:
        return _as_choice(Award(min(view.awards, key=lambda seat: (totals[seat], seat))))
    if view.expects is Expects.PLAY_OR_PASS:
        return _as_choice(Pass())
    return _as_choice(action_of(_lowest_single(view)))


def _lowest_single(view: RoundView) -> int:
    """Return the lead of the lowest card, which is a wild card only if the hand has no other."""
    hand = view.hand or 0
    by_rank = (hand & RANK_MASK[rank] for rank in RANKS)
    lowest = next(filter(None, by_rank), hand)
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


# The budget of a hint, a fraction of that of a move by the `hard` level.
HINT_SIMULATIONS: Final = 100


def analyse_decisions(
    agreement: Agreement, dealt: DealtRound, entries: list[LogEntry], first: int
) -> Iterator[tuple[int, DecisionDocument | None]]:
    """Yield the number of each log entry from `first` on, with its analysis if it is a play or pass."""
    state = start_dealt_round(agreement, dealt)
    for number, entry in enumerate(entries):
        action = logged_action(entry)
        before, seat = state, acting_seat(entry)
        applied = apply(state, seat, action)
        state = applied.state
        if number < first:
            continue
        if not isinstance(action, Play | Pass):
            yield number, None
            continue
        rng = Random(f"{entry['version']}/{seat}")  # noqa: S311 -- makes the analysis reproducible
        yield number, _decision(entry, before, analyse(view_round(before, seat), applied.play, rng))


def _decision(entry: LogEntry, state: RoundState, found: Analysed) -> DecisionDocument:
    return {
        "version": entry["version"],
        "round": state.number,
        "seat": acting_seat(entry),
        "by": entry["by"],
        "made": _move(found.made),
        "best": _move(found.best),
        "cost": round(found.cost, 1),
        "chance": round(found.chance, 2),
        "best_chance": round(found.best_chance, 2),
    }


def _move(play: int) -> MoveDocument:
    if play == NO_PLAY:
        return {"type": "pass", "cards": None, "combination": None}
    played = serialize_play(play)
    return {"type": "play", "cards": played["cards"], "combination": played["combination"]}


def choose_hint(table: Table, seat: int, *, match_id: str, version: int) -> HintDocument:
    """Return the action of the `hard` level for this seat; repeated calls return the same hint."""
    rng = Random(f"{match_id}/{version}/{seat}")  # noqa: S311 -- repeated requests must not reveal more
    action = choose_hard(table.view(seat), rng, Budget(simulations=HINT_SIMULATIONS))
    hint: HintDocument = {"type": "pass", "cards": None, "combination": None, "amount": None, "to": None}
    match action:
        case Play():
            chosen = apply(table.state.round, seat, action).play
            return {**hint, **_move(chosen)}
        case Pass():
            return hint
        case Bet():
            return {**hint, "type": "bet", "amount": action.amount}
        case Award():
            return {**hint, "type": "award", "to": action.to}
        case _:
            assert_never(action)
