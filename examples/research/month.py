"""Load a month of the data set in pandas, and answer three questions about the game with plots.

    python examples/research/month.py haggis-2026-10.parquet --plots plots
    python examples/research/month.py haggis-2026-10.ndjson.gz --plots plots

It needs pandas and matplotlib, and pyarrow for Parquet. docs/research-data.md explains each step.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "haggis"  # the same plot is the same file
# A round or an action, and a row of a table of pandas.
Json = dict[str, Any]
Row = Any

COLOUR = "#765089"
BOMB_LEVELS = range(1, 7)


def load_matches(path: Path) -> pd.DataFrame:
    """Return a row for each match, from either format; `rounds` is a list of dictionaries."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    lines = pd.read_json(path, lines=True)
    records = pd.json_normalize(lines["record"].tolist(), max_level=0)
    return lines.drop(columns="record").join(records.drop(columns=["result", "format"]))


def rounds_of(matches: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each seat of each scored round."""
    rows = [
        row
        for match in matches.itertuples()
        for played in match.rounds
        if (points := _points(played)) is not None
        for row in _seat_rows(match, played, points)
    ]
    return pd.DataFrame(rows)


def _points(played: Json) -> list[int] | None:
    """Return the points of each seat; Parquet has them in a column, the lines in the scores."""
    points = played.get("points")
    if points is not None:
        return list(points)
    scores = played.get("scores")
    return None if scores is None else [seat["total"] for seat in scores]


def _seat_rows(match: Row, played: Json, points: list[int]) -> list[Json]:
    first_out = played["out"][0] if len(played["out"]) else None
    bombs = [_bomb_level(action) for action in played["actions"]]
    return [
        {
            "match": match.match,
            "players": match.players,
            "kind": match.kinds[seat],
            "leads": seat == played["leader"],
            "goes_out_first": seat == first_out,
            "margin": own - (sum(points) - own) / (len(points) - 1),
            "bombs": [
                level
                for level, action in zip(bombs, played["actions"], strict=True)
                if level and action["seat"] == seat
            ],
        }
        for seat, own in enumerate(points)
    ]


def _bomb_level(action: Json) -> int:
    """Return the level of the bomb that an action plays, or 0."""
    named = action.get("combination") or action.get("as")
    return int(named["top"]) if named and named["kind"] == "bomb" else 0


def leading_helps(rounds: pd.DataFrame) -> pd.Series:
    """Return how often the seat that leads goes out first, and how often the others (question 1)."""
    return rounds.groupby("leads")["goes_out_first"].mean()


def worth_of_going_out(rounds: pd.DataFrame) -> pd.Series:
    """Return the points over the field of the seat that goes out first, and of the others (question 2)."""
    return rounds.groupby("goes_out_first")["margin"].mean()


def bombs_per_round(rounds: pd.DataFrame) -> pd.Series:
    """Return how many bombs of each level are played in a round (question 3)."""
    played = rounds["bombs"].explode().dropna().astype(int)
    number_of_rounds = rounds["leads"].sum()
    return played.value_counts().reindex(BOMB_LEVELS, fill_value=0) / number_of_rounds


def plot(rounds: pd.DataFrame, folder: Path) -> None:
    """Draw the answers into three files."""
    folder.mkdir(parents=True, exist_ok=True)
    bars = {
        "leading.svg": (
            leading_helps(rounds).rename({True: "leads", False: "does not lead"}),
            "goes out first",
        ),
        "bombs.svg": (bombs_per_round(rounds), "bombs a round"),
    }
    for name, (values, label) in bars.items():
        figure, axes = plt.subplots(figsize=(5, 3))
        values.plot.bar(ax=axes, color=COLOUR, rot=0, xlabel="", ylabel=label)
        _save(figure, folder / name)
    figure, axes = plt.subplots(figsize=(5, 3))
    for first, part in rounds.groupby("goes_out_first"):
        name = "goes out first" if first else "does not"
        axes.hist(part["margin"], bins=30, alpha=0.7, label=name, color=COLOUR if first else "#999999")
    axes.set(xlabel="points over the field in a round", ylabel="rounds")
    axes.legend()
    _save(figure, folder / "margins.svg")


def _save(figure: Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    """Print the answers and draw them."""
    parser = argparse.ArgumentParser(description="Answer three questions about a month of matches.")
    parser.add_argument("file", type=Path, help="a file of GET /exports")
    parser.add_argument("--plots", type=Path, default=Path("plots"), help="the folder of the plots (plots)")
    options = parser.parse_args()
    rounds = rounds_of(load_matches(options.file))
    answers = (
        f"{rounds['match'].nunique()} matches, {rounds['leads'].sum()} scored rounds",
        f"goes out first when leading: {leading_helps(rounds).get(True, 0):.3f}",
        f"points over the field when going out first: {worth_of_going_out(rounds).get(True, 0):.1f}",
        f"bombs a round: {bombs_per_round(rounds).sum():.2f}",
    )
    sys.stdout.write("".join(f"{answer}\n" for answer in answers))
    plot(rounds, options.plots)


if __name__ == "__main__":
    main()
