"""Let an AI level play against itself, and write the matches as lines like those of a month of the data set.

    python -m examples.research.self_play --matches 100 --level easy --to self-play.ndjson.gz

The lines have the members that `examples/research/month.py` reads; docs/research-data.md shows its plots.
"""

import argparse
import gzip
import json
from pathlib import Path
from random import Random

from engine.ai.interface import DEFAULT_BUDGET
from engine.ai.levels import level
from engine.game import new_game
from engine.records.writing import write_record


def line(number: int, name: str, target: int) -> str:
    """Play a match, with two and three seats by turns, and return its line."""
    choose, players = level(name), 2 + number % 2
    rng = Random(number)  # noqa: S311 -- the same number plays the same match
    game = new_game("classic", players=players, seed=f"self-play {number}", target=target)
    while game.to_act is not None:
        game = game.act(choose(game.round_view(), rng, DEFAULT_BUDGET))
    record = {
        **write_record(game.record()),
        "match": f"m_selfplay{number}",
        "seats": [f"ai:{name}"] * players,
    }
    return json.dumps({"number": number, "kind": "bot", "kinds": ["ai"] * players, "record": record})


def main() -> None:
    """Write the matches."""
    parser = argparse.ArgumentParser(description="Write matches of an AI level against itself.")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--level", default="easy", help="the AI level (easy)")
    parser.add_argument("--target", type=int, default=250, help="the target score (250)")
    parser.add_argument("--to", type=Path, default=Path("self-play.ndjson.gz"), help="the file")
    options = parser.parse_args()
    with gzip.open(options.to, "wt", encoding="utf-8") as file:
        for number in range(1, options.matches + 1):
            file.write(line(number, options.level, options.target) + "\n")


if __name__ == "__main__":
    main()
