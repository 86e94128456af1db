"""What contests came to, kept as JSON and shown as a line, a table, a plot."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from games.gateway.arena import Contest, Result

# What the networks of these levels come to is told beside their weights.
_OF_NETWORKS: Final = ("medium", "hard")
# The plot: a bar for each contest, drawn as SVG by hand.
_ROW: Final = 26
_LEFT: Final = 330
_WIDTH: Final = 860
_SCALE_ENDS: Final = 8
_FONT: Final = 'font-family="sans-serif" font-size="13"'


def write_results(path: Path, result: Result) -> None:
    """Keep a result beside the others, in the place of an earlier one of the same contest."""
    others = [each for each in read_results(path) if each.contest != result.contest] if path.exists() else []
    forms = [each.as_json() for each in (*others, result)]
    path.write_text(json.dumps(forms, indent=1) + "\n", encoding="utf-8")


def read_results(path: Path) -> list[Result]:
    """The results that were kept."""
    return [_result(form) for form in json.loads(path.read_text(encoding="utf-8"))]


def _result(form: dict[str, Any]) -> Result:
    contest = dict(form["contest"])
    contest["options"] = tuple((name, value) for name, value in contest["options"])
    return Result(**{**form, "contest": Contest(**contest)})


def command_of(contest: Contest) -> str:
    """The command that holds this contest."""
    said = [f"manage.py arena {contest.challenger} {contest.opponent}"]
    usual = Contest(challenger="", opponent="")
    named = ("ruleset", "players", "deals", "bets", "target", "seed", "simulations", "milliseconds")
    said += [
        f"--{name} {asked}" for name in named if (asked := getattr(contest, name)) != getattr(usual, name)
    ]
    return " ".join([*said, *(f"--option {name}={value}" for name, value in contest.options)])


def margin_of(result: Result) -> str:
    """By how much, with its interval."""
    if result.contest.target is not None:
        return f"{100 * result.mean:.1f} ± {100 * result.interval:.1f} % of matches"
    return f"{result.mean:+.1f} ± {result.interval:.1f}"


def line_of(result: Result) -> str:
    """One result in a line."""
    cost = ", ".join(f"{name} {value:.2f} ms" for name, value in result.cpu_milliseconds.items())
    longest = ", ".join(f"{name} {value:.0f} ms" for name, value in result.longest_milliseconds.items())
    contest = result.contest
    return (
        f"{contest.challenger} over {contest.opponent}: {margin_of(result)} ({contest.ruleset}, "
        f"{contest.players} players, {result.played} deals; CPU a decision {cost}; longest {longest})"
    )


def table_of(results: Sequence[Result]) -> str:
    """All of them as a table for a page of the docs."""
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
    """Say in the note beside the weights of each number of players what their levels came to."""
    for players in (2, 3):
        path = folder / f"players-{players}.json"
        note = json.loads(path.read_text(encoding="utf-8"))
        note["results"] = {
            command_of(each.contest): f"{margin_of(each)}, {each.played} deals"
            for each in results
            if each.contest.players == players and each.contest.challenger in _OF_NETWORKS
        }
        path.write_text(json.dumps(note, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def plot_of(results: Sequence[Result]) -> str:
    """The margins of rounds as bars with their intervals."""
    shown = [each for each in results if each.contest.target is None]
    most = max((each.mean + each.interval for each in shown), default=1.0)
    scale = (_WIDTH - _LEFT - 70) / max(most, 1.0)
    height = _ROW * len(shown) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" {_FONT}>',
        "<title>Points a round by which a level is ahead of another</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
    ]
    for row, result in enumerate(shown):
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
