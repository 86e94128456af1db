"""Store results of contests as JSON and render them as a line, a table or a plot."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from games.gateway.arena import Contest, Result

# The results of these levels are stored in the notes of the networks that they use.
_NETWORK_LEVELS: Final = ("medium", "hard")
# Dimensions of the SVG plot, which has one bar for each contest.
_ROW: Final = 26
_LEFT: Final = 330
_WIDTH: Final = 860
_SCALE_ENDS: Final = 8
_FONT: Final = 'font-family="sans-serif" font-size="13"'


def write_results(path: Path, result: Result) -> None:
    """Add a result to the file, replacing an earlier result of the same contest."""
    others = [each for each in read_results(path) if each.contest != result.contest] if path.exists() else []
    results = [asdict(each) for each in (*others, result)]
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def read_results(path: Path) -> list[Result]:
    """Return the results stored in a file."""
    return [_parse_result(data) for data in json.loads(path.read_text(encoding="utf-8"))]


def _parse_result(data: dict[str, Any]) -> Result:
    contest = dict(data["contest"])
    contest["options"] = tuple((name, value) for name, value in contest["options"])
    return Result(**{**data, "contest": Contest(**contest)})


def command_of(contest: Contest) -> str:
    """Return the command line that runs this contest."""
    arguments = [f"manage.py arena {contest.challenger} {contest.opponent}"]
    defaults = Contest(challenger="", opponent="")
    names = ("ruleset", "players", "deals", "bets", "target", "seed", "simulations", "milliseconds")
    arguments += [
        f"--{name} {value}" for name in names if (value := getattr(contest, name)) != getattr(defaults, name)
    ]
    return " ".join([*arguments, *(f"--option {name}={value}" for name, value in contest.options)])


def margin_of(result: Result) -> str:
    """Return the margin with its confidence interval."""
    if result.contest.target is not None:
        return f"{100 * result.mean:.1f} ± {100 * result.interval:.1f} % of matches"
    return f"{result.mean:+.1f} ± {result.interval:.1f}"


def line_of(result: Result) -> str:
    """Summarise a result in one line."""
    cost = ", ".join(f"{name} {value:.2f} ms" for name, value in result.cpu_milliseconds.items())
    longest = ", ".join(f"{name} {value:.0f} ms" for name, value in result.longest_milliseconds.items())
    contest = result.contest
    return (
        f"{contest.challenger} over {contest.opponent}: {margin_of(result)} ({contest.ruleset}, "
        f"{contest.players} players, {result.played} deals; CPU a decision {cost}; longest {longest})"
    )


def table_of(results: Sequence[Result]) -> str:
    """Render results as a Markdown table."""
    rows = ["| levels | players | rule set | ahead | CPU a decision | command |", "|" + " --- |" * 6]
    for result in results:
        contest = result.contest
        cost = result.cpu_milliseconds[contest.challenger]
        rows.append(
            f"| `{contest.challenger}` over `{contest.opponent}` | {contest.players} | `{contest.ruleset}` | "
            f"{margin_of(result)} | {cost:.2f} ms | `{command_of(contest)}` |"
        )
    return "\n".join(rows)


def note_results(results: Sequence[Result], folder: Path) -> None:
    """Write the results of the network levels into the notes beside the weights."""
    for players in (2, 3):
        path = folder / f"players-{players}.json"
        note = json.loads(path.read_text(encoding="utf-8"))
        note["results"] = {
            command_of(each.contest): f"{margin_of(each)}, {each.played} deals"
            for each in results
            if each.contest.players == players and each.contest.challenger in _NETWORK_LEVELS
        }
        path.write_text(json.dumps(note, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def plot_of(results: Sequence[Result]) -> str:
    """Render the margins per round as an SVG bar chart with confidence intervals."""
    plotted = [each for each in results if each.contest.target is None]
    highest = max((each.mean + each.interval for each in plotted), default=1.0)
    scale = (_WIDTH - _LEFT - 70) / max(highest, 1.0)
    height = _ROW * len(plotted) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" {_FONT}>',
        "<title>Points a round by which a level is ahead of another</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
    ]
    for row, result in enumerate(plotted):
        parts += _bar(result, 10 + _ROW * row, scale)
    axis = f'<line x1="{_LEFT}" y1="4" x2="{_LEFT}" y2="{height - 20}" stroke="black"/>'
    return "\n".join([*parts, axis, "</svg>"]) + "\n"


def _bar(result: Result, top: int, scale: float) -> list[str]:
    contest = result.contest
    label = f"{contest.challenger} over {contest.opponent}, {contest.ruleset}, {contest.players} players"
    middle = top + _ROW / 2 - 2
    end = _LEFT + result.mean * scale
    left, wide = min(_LEFT, end), abs(end - _LEFT)
    low, high = end - result.interval * scale, end + result.interval * scale
    return [
        f'<text x="{_LEFT - 8}" y="{middle + 4}" text-anchor="end">{label}</text>',
        f'<rect x="{left:.1f}" y="{top}" width="{wide:.1f}" height="{_ROW - 8}" fill="#4a7ba6"/>',
        f'<line x1="{low:.1f}" y1="{middle}" x2="{high:.1f}" y2="{middle}" stroke="black" stroke-width="2"/>',
        f'<text x="{high + _SCALE_ENDS:.1f}" y="{middle + 4}">{result.mean:+.1f}</text>',
    ]
