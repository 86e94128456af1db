"""Contests between levels of play, as a command asks for them: on the same deals, with seats swapped."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

from engine.ai.arena import WITHIN_95, margins, never_betting, starts, without_bets
from engine.ai.interface import Budget, Chooser
from engine.ai.levels import LEVELS
from engine.ai.match_arena import shares
from engine.ai.search.plain import search_without_network
from engine.ai.timed import Timed
from engine.matches.ending import Length
from engine.rulesets.catalogue import RULE_SETS
from games.gateway.agreement import agree

RULE_SET_KEYS: Final = tuple(rules.key for rules in RULE_SETS)
# A search without the network is no level to play against: contests show by it what the network gives.
CONTESTANTS: Final[dict[str, Chooser]] = {**LEVELS, "plain-search": search_without_network}
BETS: Final = ("none", "all", "challenger")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who meets whom, at which table, how often. With a target whole matches are played, always with bets."""

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
    """By how many points a round the challenger is ahead, or its share of matches; what thinking costs."""

    contest: Contest
    played: int
    mean: float
    interval: float
    cpu_milliseconds: dict[str, float]
    longest_milliseconds: dict[str, float]

    def form(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return asdict(self)


def held(contest: Contest) -> Iterator[Result]:
    """The contest, deal by deal: after each what is known so far."""
    challenger, opponent = (
        Timed(CONTESTANTS[name], process_time) for name in (contest.challenger, contest.opponent)
    )
    found: list[float] = []
    for value in islice(_values(contest, challenger, opponent), contest.deals):
        found.append(value)
        yield Result(
            contest=contest,
            played=len(found),
            mean=fmean(found),
            interval=WITHIN_95 * stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0,
            cpu_milliseconds=_by_name(contest, challenger.milliseconds, opponent.milliseconds),
            longest_milliseconds=_by_name(contest, 1000 * challenger.longest, 1000 * opponent.longest),
        )


def _by_name(contest: Contest, challenger: float, opponent: float) -> dict[str, float]:
    if contest.challenger == contest.opponent:
        return {contest.challenger: (challenger + opponent) / 2}
    return {contest.challenger: challenger, contest.opponent: opponent}


def _values(contest: Contest, challenger: Chooser, opponent: Chooser) -> Iterator[float]:
    rules = agree(
        ruleset=contest.ruleset,
        players=contest.players,
        options=dict(contest.options),
        target_score=None,
        rounds=None,
    ).rules
    budget = _budget(contest)
    if contest.target is not None:
        return shares(rules, Length(target=contest.target), challenger, opponent, contest.seed, budget=budget)
    begun = starts(rules, contest.deals, Random(contest.seed))  # noqa: S311 -- contests are to be repeatable
    if contest.bets == "none":
        begun = map(without_bets, begun)
    against = never_betting(opponent) if contest.bets == "challenger" else opponent
    return margins(begun, challenger, against, Random(contest.seed), budget)  # noqa: S311 -- the same


def _budget(contest: Contest) -> Budget:
    if contest.milliseconds is not None:
        return Budget(milliseconds=contest.milliseconds, clock=process_time)
    return Budget(simulations=contest.simulations)
