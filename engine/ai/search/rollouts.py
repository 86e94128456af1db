"""Simulate a play in many worlds: all seats continue as the network would, and the end is scored.

After a number of decisions a line is cut off, and the network estimates the result for the seat that
searches.
"""

from dataclasses import dataclass
from random import Random

from engine.ai.network.arrays import Floats, np
from engine.ai.network.bets import at_stake
from engine.ai.network.candidates import worth_evaluating_in_search
from engine.ai.network.lines import Line, ahead_of, consider, decision
from engine.ai.network.model import AHEAD, FIRST_OUT, OWN, Network
from engine.ai.network.passed import passed_so_far
from engine.ai.network.situation import terms_bits
from engine.ai.search.worlds import World
from engine.rounds.ending import score_position
from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView

AHEAD_AT_END, FIRST_AT_END, POINTS_AT_END = 0, 1, 2
# More decisions than any round has, so that no line is cut off.
WHOLE_ROUNDS = 1_000


@dataclass(frozen=True, slots=True)
class Ahead:
    """The result of each simulation, and the total number of steps: a step is a decision, or the end."""

    found: Floats
    steps: int


@dataclass(slots=True)
class _Rollout:
    """A line, its world, and after how many of the seat's own decisions it is cut off."""

    line: Line
    world: World
    left: int


def look_ahead(
    view: RoundView, network: Network, tries: list[tuple[World, int]], depth: int, rng: Random
) -> Ahead:
    """Return the lead, whether first out, and the points for each try (a world, and a play or pass in it)."""
    passed, terms = passed_so_far(view), terms_bits(view.rules)
    found = np.zeros((len(tries), 3), dtype=np.float32)
    open_lines: list[tuple[int, _Rollout]] = []
    for place, (world, chosen) in enumerate(tries):
        line = Line(view.position_with(world.hands), passed, terms)
        line.make(chosen)
        open_lines.append((place, _Rollout(line, world, depth)))
    steps = 0
    while open_lines:
        steps += len(open_lines)
        open_lines = _step(view, network, open_lines, found, rng)
    return Ahead(found, steps)


def _step(
    view: RoundView, network: Network, open_lines: list[tuple[int, _Rollout]], found: Floats, rng: Random
) -> list[tuple[int, _Rollout]]:
    waiting, plays_of = [], []
    for place, rollout in open_lines:
        plays = decision(rollout.line, rng)
        if plays:
            waiting.append((place, rollout))
            plays_of.append(plays)
        else:
            found[place] = _final_result(view, rollout)
    if not waiting:
        return []
    choices = consider(
        network,
        [rollout.line for _, rollout in waiting],
        plays_of,
        is_worth_evaluating=worth_evaluating_in_search,
    )
    best = choices.best(ahead_of(choices))
    continuing = []
    for (place, rollout), at, chosen in zip(
        waiting, best.tolist(), choices.plays[best].tolist(), strict=True
    ):
        if rollout.line.position.to_act == view.seat:
            rollout.left -= 1
            if rollout.left <= 0:
                found[place] = _estimate(view, rollout, choices.answers[at])
                continue
        rollout.line.make(chosen)
        continuing.append((place, rollout))
    return continuing


def _final_result(view: RoundView, rollout: _Rollout) -> tuple[float, float, float]:
    """Return the result of a finished line for the searching seat."""
    position, seat = rollout.line.position, view.seat or 0
    sheet = score_position(view.rules, position, rollout.world.haggis, view.bets)
    totals = [line.total for line in sheet]
    own = sheet[seat].total - sheet[seat].bets
    return _ahead(totals, seat), float(position.out[0] == seat), own


def _estimate(view: RoundView, rollout: _Rollout, answers: Floats) -> tuple[float, float, float]:
    """Return the network's estimate at the decision where the line is cut off."""
    position, seat = rollout.line.position, view.seat or 0
    captured = [points_of(view.rules.card_points, pile) for pile in position.captured]
    chance = 0.0 if position.out else float(1 / (1 + np.exp(-answers[FIRST_OUT])))
    points = float(answers[OWN]) + captured[seat]
    bets = float(at_stake(view, np.array([chance], np.float32), np.array([points], np.float32))[0])
    return float(answers[AHEAD]) + _ahead(captured, seat) + bets, chance, points


def _ahead(points: list[int], seat: int) -> float:
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)
