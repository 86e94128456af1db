"""Contests between AI levels, and training of their networks."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

from engine.ai.arena import WITHIN_95, margin_on, never_betting, starts, without_bets
from engine.ai.interface import Budget, Chooser
from engine.ai.levels import LEVELS
from engine.ai.match_arena import share
from engine.ai.network.weights import FOLDER, file_for
from engine.ai.search.plain import search_without_network
from engine.ai.timed import Cost, Timed
from engine.ai.training.training import (
    FIRST_RATE,
    LAST_RATE,
    PASSES,
    PIECE,
    RECENT_PIECES,
    Training,
    write_weights,
)
from engine.matches.ending import Length
from engine.rounds.state import RoundState
from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.model import TableRules
from games.gateway.agreement import make_agreement

RULE_SET_KEYS: Final = tuple(rules.key for rules in RULE_SETS)
# Not a level of the service: contests use it to measure the gain from the network.
CONTESTANTS: Final[dict[str, Chooser]] = {**LEVELS, "plain-search": search_without_network}
BETS: Final = ("none", "all", "challenger")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A contest of two AI levels. With a target, whole matches are played, always with bets."""

    challenger: str
    opponent: str
    deals: int = 1000
    ruleset: str = "classic"
    players: int = 2
    options: tuple[tuple[str, str], ...] = ()
    bets: str = "none"
    target: int | None = None
    seed: int = 1
    simulations: int | None = None
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The lead of the challenger in points a round, or its share of matches, and the CPU time used."""

    contest: Contest
    played: int
    mean: float
    interval: float
    cpu_milliseconds: dict[str, float]
    longest_milliseconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class _DealResult:
    """The result of one deal and the CPU time that each of the two levels used."""

    value: float
    challenger: Cost
    opponent: Cost


def run_contest(contest: Contest, *, processes: int = 1) -> Iterator[Result]:
    """Run a contest and yield the interim result after each deal.

    The result does not depend on the number of processes.
    """
    values: list[float] = []
    challenger, opponent = Cost(), Cost()
    with _parallel_map(processes) as parallel_map:
        for dealt in parallel_map(partial(_play_deal, contest), range(1, contest.deals + 1)):
            values.append(dealt.value)
            challenger += dealt.challenger
            opponent += dealt.opponent
            yield Result(
                contest=contest,
                played=len(values),
                mean=fmean(values),
                interval=WITHIN_95 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0,
                cpu_milliseconds=_by_name(contest, challenger.milliseconds, opponent.milliseconds),
                longest_milliseconds=_by_name(contest, 1000 * challenger.longest, 1000 * opponent.longest),
            )


@contextmanager
def _parallel_map(processes: int) -> Iterator[Callable[..., Iterator[_DealResult]]]:
    """Provide a `map` that runs in this process or in a pool, with results in order."""
    if processes == 1:
        yield map
        return
    with get_context("spawn").Pool(processes) as pool:
        yield pool.imap


def _by_name(contest: Contest, challenger: float, opponent: float) -> dict[str, float]:
    if contest.challenger == contest.opponent:
        return {contest.challenger: (challenger + opponent) / 2}
    return {contest.challenger: challenger, contest.opponent: opponent}


def _play_deal(contest: Contest, number: int) -> _DealResult:
    """Play one deal, or one match if the contest has a target."""
    challenger, opponent = (
        Timed(CONTESTANTS[name], process_time) for name in (contest.challenger, contest.opponent)
    )
    budget = _budget(contest)
    if contest.target is not None:
        length, match = Length(target=contest.target), f"{contest.seed}/{number}"
        value = share(_rules(contest), length, challenger, opponent, match, budget=budget)
    else:
        against = never_betting(opponent) if contest.bets == "challenger" else opponent
        value = margin_on(_starting_rounds(contest)[number - 1], challenger, against, contest.seed, budget)
    return _DealResult(value, challenger.cost, opponent.cost)


@cache
def _starting_rounds(contest: Contest) -> tuple[RoundState, ...]:
    """Return the initial rounds of a contest. They share one random sequence, so each process draws all."""
    rounds = starts(_rules(contest), contest.deals, Random(contest.seed))  # noqa: S311 -- reproducible
    return tuple(map(without_bets, rounds) if contest.bets == "none" else rounds)


@cache
def _rules(contest: Contest) -> TableRules:
    return make_agreement(
        ruleset=contest.ruleset,
        players=contest.players,
        options=dict(contest.options),
        target_score=None,
        rounds=None,
    ).rules


def _budget(contest: Contest) -> Budget:
    if contest.milliseconds is not None:
        return Budget(milliseconds=contest.milliseconds, clock=process_time)
    return Budget(simulations=contest.simulations)


# The folder of the weights that are shipped with the package.
PACKAGED: Final[Path] = FOLDER
ROUNDS: Final = {2: 240_000, 3: 100_000}


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """The progress of a training run."""

    rounds: int
    total: int
    error: float


def train(
    *, players: int, rounds: int, seed: int, into: Path, checkpoints: Path
) -> Iterator[TrainingProgress]:
    """Train a network, resuming from a folder of `checkpoints`, and write weights and metadata to `into`.

    A checkpoint is written after every piece. It is specific to the number of players, rounds and seed.
    """
    checkpoint = checkpoints / f"players-{players}-rounds-{rounds}-seed-{seed}.npz"
    checkpoints.mkdir(parents=True, exist_ok=True)
    training = Training.load(checkpoint) if checkpoint.exists() else Training(players, rounds, seed)
    for progress in training.run():
        training.save(checkpoint)
        yield TrainingProgress(min(progress.rounds, rounds), rounds, progress.error)
    into.mkdir(parents=True, exist_ok=True)
    write_weights(training.network, into / file_for(players))
    write_note(training, into / f"players-{players}.json")


def write_note(training: Training, path: Path) -> None:
    """Write the parameters of a training run next to its weights."""
    arguments = f"--players {training.players} --rounds {training.target_rounds} --seed {training.seed}"
    note: dict[str, Any] = {
        "command": f"manage.py train_ai {arguments}",
        "players": training.players,
        "seed": training.seed,
        "rounds": training.rounds,
        "pieces": training.pieces,
        "layers": [len(training.learner.weights[name]) for name in ("first", "second", "third")],
        "decisions_a_piece": PIECE,
        "pieces_kept": RECENT_PIECES,
        "passes": PASSES,
        "rates": [FIRST_RATE, LAST_RATE],
    }
    path.write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
