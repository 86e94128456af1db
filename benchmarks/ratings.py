"""Simulate players whose true skill is known, and compare it with the ratings of the service.

    .venv/bin/python -m benchmarks.ratings --plot docs/images/ratings.svg

Two simulations use the functions of the service (`games/ratings/rating.py`, `games/ratings/skill.py`):

- Convergence: everybody plays the same number of matches against random opponents. How well do
  ratings sort the players, and how often does the interval of the skill contain the true one?
- Drift: players leave, the weakest first, and new ones take their places. Does a player of constant
  skill keep the rating?

In a round the seats score their skills, plus chance: the difference between them and their sum are
normal. The mean and the deviation of the sum are those of `medium` against itself, with bets, on
1,000 deals. Matches are for two players and end at 250 points, when one is ahead.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import Ratio, add_arguments, record_results
from games.ratings.rating import Rating, rate
from games.ratings.skill import Skill, update_skills

Numbers = NDArray[np.float64]

POINTS_A_ROUND: Final = 42.8
TARGET: Final = 250
TRUE_SKILL: Final = 11.0
# Standard deviations of the difference and of the sum of the points of the seats in a round.
NOISE: Final = 60.0
NOISE_OF_SUM: Final = 21.9
# Rounds that are drawn at once; a match is much shorter.
MOST_ROUNDS: Final = 40
# After so many matches each, ratings have to sort players this well.
SPEARMAN: Final = {60: 0.92, 100: 0.95}
COVERAGE: Final = (0.93, 0.97)
MOST_DRIFT: Final = 50.0
# How many matches everybody plays between two replacements of players.
TURNOVERS: Final = {"slow": 10, "fast": 2}


class Outcome(NamedTuple):
    """The totals of both players of a match, and its rounds."""

    totals: tuple[float, float]
    rounds: int


def play_matches(skills: Numbers, rng: np.random.Generator) -> Iterator[Outcome]:
    """Play a match for each row of skills, which has those of its two players."""
    shape = len(skills), MOST_ROUNDS
    margins, sums = rng.normal(0.0, NOISE, shape), rng.normal(0.0, NOISE_OF_SUM, shape)
    chance = np.stack([sums + margins, sums - margins], axis=2) / 2
    totals = np.cumsum(POINTS_A_ROUND + skills[:, None, :] + chance, axis=1)
    over = (totals.max(axis=2) >= TARGET) & (totals[:, :, 0] != totals[:, :, 1])
    over[:, -1] = True
    last = over.argmax(axis=1)
    for row, end in enumerate(last):
        first, second = totals[row, end]
        yield Outcome((float(first), float(second)), int(end) + 1)


@dataclass
class Field:
    """Players with their true skills, and what the service would store of them."""

    truth: Numbers
    rng: np.random.Generator
    rounds: int = 0
    matches: int = 0
    ratings: list[Rating] = field(default_factory=list)
    skills: list[Skill] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Give every player the values of a newcomer."""
        self.ratings = [Rating() for _ in self.truth]
        self.skills = [Skill() for _ in self.truth]

    def play(self) -> None:
        """Let everybody play one match against a random opponent. No time passes."""
        order = self.rng.permutation(len(self.truth))
        pairs = order[: len(order) // 2 * 2].reshape(-1, 2)
        for pair, outcome in zip(pairs.tolist(), play_matches(self.truth[pairs], self.rng), strict=True):
            self._rate(pair, outcome)

    def _rate(self, pair: Sequence[int], outcome: Outcome) -> None:
        first, second = outcome.totals
        places = [1 + (first < second), 1 + (second < first)]
        rated = rate([self.ratings[each] for each in pair], places)
        updated = update_skills([self.skills[each] for each in pair], outcome.totals, outcome.rounds)
        for each, rating, skill in zip(pair, rated, updated, strict=True):
            self.ratings[each], self.skills[each] = rating, skill
        self.rounds += outcome.rounds
        self.matches += 1

    def replace_weakest(self, share: float) -> None:
        """Replace the weakest players by new ones, whose skills are like those at the start."""
        leaving = np.argsort(self.truth)[: round(share * len(self.truth))]
        self.truth[leaving] = self.rng.normal(0.0, TRUE_SKILL, len(leaving))
        for each in leaving.tolist():
            self.ratings[each], self.skills[each] = Rating(), Skill()

    def mu(self) -> Numbers:
        """Return the published ratings before rounding."""
        return np.array([60 * each.mu for each in self.ratings])

    def settled(self) -> NDArray[np.bool_]:
        """Return whose rating is not provisional."""
        return np.array([not each.provisional for each in self.ratings])


class Snapshot(NamedTuple):
    """What is known after a number of matches each."""

    matches: int
    spearman: float
    spearman_of_skill: float
    coverage: float
    deviation: float
    interval: float


def spearman(first: Numbers, second: Numbers) -> float:
    """Return the rank correlation of two columns without equal values."""
    ranks = [each.argsort().argsort().astype(np.float64) for each in (first, second)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def look_at(players: Field, matches: int) -> Snapshot:
    """Compare the ratings and skills with the truth."""
    settled = players.settled()
    if not settled.any():
        settled[:] = True
    means = np.array([each.mean for each in players.skills])
    intervals = np.array([each.interval for each in players.skills])
    error = (means - means[settled].mean()) - (players.truth - players.truth[settled].mean())
    return Snapshot(
        matches,
        spearman(players.mu(), players.truth),
        spearman(means, players.truth),
        float((np.abs(error) <= intervals).mean()),
        float(np.mean([each.deviation for each in players.ratings])),
        float(intervals.mean()),
    )


def converge(count: int, most: int, step: int, rng: np.random.Generator) -> tuple[list[Snapshot], float]:
    """Let everybody play this many matches; return what is known every few, and the rounds a match."""
    players = Field(rng.normal(0.0, TRUE_SKILL, count), rng)
    found = []
    for played in range(1, most + 1):
        players.play()
        if played % step == 0:
            found.append(look_at(players, played))
    return found, players.rounds / players.matches


class DriftPoint(NamedTuple):
    """The rating of a player of constant skill, and the mean skill of the settled players."""

    matches: int
    rating: float
    mean_skill: float


def drift(count: int, matches: int, share: float, every: int, rng: np.random.Generator) -> list[DriftPoint]:
    """Replace players after every few matches each; return the rating at skill 0 in the course of it.

    The rating at a skill is read from the line through the settled players, because those who play on get
    stronger on average. It is known once half of the players are settled.
    """
    players = Field(rng.normal(0.0, TRUE_SKILL, count), rng)
    points = []
    played = 0
    while players.matches < matches:
        players.play()
        played += 1
        if played % every == 0:
            settled = players.settled()
            if settled.mean() >= 1 / 2:
                points.append(_at_constant_skill(players, settled))
            players.replace_weakest(share)
    return points


def _at_constant_skill(players: Field, settled: NDArray[np.bool_]) -> DriftPoint:
    truth = players.truth[settled]
    _, rating = np.polyfit(truth, players.mu()[settled], 1)
    return DriftPoint(players.matches, float(rating), float(truth.mean()))


def greatest_drift(points: Sequence[DriftPoint]) -> float:
    """Return the difference between the greatest and the least rating, with the 1500 of the start."""
    ratings = [1500.0, *(point.rating for point in points)]
    return max(ratings) - min(ratings)


def main(arguments: list[str] | None = None) -> None:
    """Run both simulations, print and record their figures, and draw them."""
    parser = argparse.ArgumentParser(prog="benchmarks.ratings", description=__doc__)
    parser.add_argument("--players", type=int, default=5000)
    parser.add_argument("--matches", type=int, default=100, help="matches of each player")
    parser.add_argument("--drift-players", type=int, default=1000)
    parser.add_argument("--drift-matches", type=int, default=50_000, help="matches of all players together")
    parser.add_argument("--turnover", type=float, default=0.04, help="the share of players replaced at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="the SVG file to write")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    snapshots, rounds = converge(
        options.players, options.matches, min(10, options.matches), np.random.default_rng(options.seed)
    )
    print(f"{rounds:.2f} rounds a match")
    for each in snapshots:
        print(
            f"{each.matches} matches: Spearman {each.spearman:.3f} (skill {each.spearman_of_skill:.3f}), "
            f"coverage {each.coverage:.3f}, deviation {each.deviation:.0f}, interval {each.interval:.1f}"
        )
    courses = {}
    for name, every in TURNOVERS.items():
        rng = np.random.default_rng(options.seed)
        courses[name] = drift(options.drift_players, options.drift_matches, options.turnover, every, rng)
        first, last = courses[name][0], courses[name][-1]
        print(
            f"turnover after every {every} matches each: {first.rating:.0f} to {last.rating:.0f} at skill 0, "
            f"mean skill {first.mean_skill:+.1f} to {last.mean_skill:+.1f}"
        )
    if options.plot is not None:
        options.plot.write_text(draw(snapshots, courses), encoding="utf-8")
    figures = {
        "players": options.players,
        "rounds a match": rounds,
        "snapshots": [each._asdict() for each in snapshots],
    }
    record_results(options, "ratings", figures, _ratios(snapshots, courses))


def _ratios(snapshots: Sequence[Snapshot], courses: dict[str, list[DriftPoint]]) -> list[Ratio]:
    ratios = []
    low, high = COVERAGE
    for each in snapshots:
        if each.matches in SPEARMAN:
            after = f"after {each.matches} matches"
            ratios += [
                Ratio(f"Spearman {after}", each.spearman, SPEARMAN[each.matches]),
                Ratio(f"coverage {after}", each.coverage, low),
                Ratio(f"coverage {after}, upper bound", each.coverage, high, at_most=True),
            ]
    return [
        *ratios,
        *(
            Ratio(f"drift, {name} turnover", greatest_drift(points), MOST_DRIFT, at_most=True)
            for name, points in courses.items()
        ),
    ]


# The plot: two panels side by side, with axes, two lines each and a legend below.
_WIDTH: Final = 860
_HEIGHT: Final = 330
_PANEL: Final = 350
_TOP: Final = 50
_BOTTOM: Final = 250
_LEFTS: Final = (60, 480)
_ATTRIBUTES: Final = 'font-family="sans-serif" font-size="13" role="img" aria-labelledby="title"'
_COLOURS: Final = ("#00796b", "#c2410c")


class Panel(NamedTuple):
    """A panel of the plot: its title, the names of its axes, their ranges and ticks, and its lines."""

    title: str
    across: str
    x: tuple[float, float]
    y: tuple[float, float]
    ticks_x: Sequence[float]
    ticks_y: Sequence[float]
    targets: Sequence[tuple[float, float]]
    lines: dict[str, Sequence[tuple[float, float]]]


def draw(snapshots: Sequence[Snapshot], courses: dict[str, list[DriftPoint]]) -> str:
    """Draw both simulations as SVG."""
    most = max(each.matches for each in snapshots)
    longest = max(point.matches for points in courses.values() for point in points)
    panels = [
        Panel(
            "Rank correlation with the true skill",
            "matches of each player",
            (0, most),
            (0.6, 1.0),
            range(0, most + 1, 20),
            (0.6, 0.7, 0.8, 0.9, 1.0),
            list(SPEARMAN.items()),
            {
                "rating": [(each.matches, each.spearman) for each in snapshots],
                "skill": [(each.matches, each.spearman_of_skill) for each in snapshots],
            },
        ),
        Panel(
            "Rating at constant skill, by turnover",
            "matches of all players, thousands",
            (0, longest / 1000),
            (1400, 1600),
            range(0, round(longest / 1000) + 1, 10),
            (1400, 1450, 1500, 1550, 1600),
            (),
            {
                f"every {TURNOVERS[name]} matches": [(point.matches / 1000, point.rating) for point in points]
                for name, points in courses.items()
            },
        ),
    ]
    parts = [part for left, panel in zip(_LEFTS, panels, strict=True) for part in _draw_panel(left, panel)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {_ATTRIBUTES}>',
            '<title id="title">How well ratings sort players, and how they drift</title>',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _draw_panel(left: int, panel: Panel) -> Iterator[str]:
    def across(value: float) -> float:
        return left + _PANEL * (value - panel.x[0]) / (panel.x[1] - panel.x[0])

    def down(value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (value - panel.y[0]) / (panel.y[1] - panel.y[0])

    yield f'<text x="{left}" y="28" font-weight="bold">{panel.title}</text>'
    for tick in panel.ticks_y:
        yield f'<path d="M{left} {down(tick):.1f}h{_PANEL}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{down(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
    for tick in panel.ticks_x:
        yield f'<text x="{across(tick):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{tick:g}</text>'
    yield f'<text x="{left + _PANEL / 2:.0f}" y="{_BOTTOM + 38}" text-anchor="middle">{panel.across}</text>'
    for x, y in panel.targets:
        yield f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="4" fill="none" stroke="#333"/>'
    for number, (name, points) in enumerate(panel.lines.items()):
        path = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{_COLOURS[number]}" stroke-width="2"/>'
        legend = left + _PANEL // 2 * number
        yield f'<path d="M{legend} {_HEIGHT - 16}h18" stroke="{_COLOURS[number]}" stroke-width="2"/>'
        yield f'<text x="{legend + 24}" y="{_HEIGHT - 12}" font-size="11">{name}</text>'


if __name__ == "__main__":
    main()
