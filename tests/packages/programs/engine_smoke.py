"""Play, record, replay and learn with the installed engine; print one line for each."""

import importlib.util
import json
from random import Random

import haggis_engine
from haggis_engine.ai.interface import DEFAULT_BUDGET
from haggis_engine.ai.levels import level
from haggis_engine.game import Game, new_game
from haggis_engine.records.loading import load_record
from haggis_engine.records.replay import replay
from haggis_engine.records.steps import steps_of
from haggis_engine.records.writing import write_record
from haggis_engine.rounds import position
from haggis_engine.version import VERSION


def played(ruleset: str, players: int, names: tuple[str, ...]) -> Game:
    """Play a whole match between AI levels."""
    rng = Random(1)
    game = new_game(ruleset, players=players, seed="smoke", target=100)
    while (seat := game.to_act) is not None:
        choose = level(names[seat])
        game = game.act(choose(game.round_view(), rng, DEFAULT_BUDGET))
    return game


def main() -> None:
    """Print what works."""
    kind = "pure" if position.__file__.endswith(".py") else "compiled"
    print(f"version {VERSION}, {kind}, {haggis_engine.__name__}")
    print(f"squats {importlib.util.find_spec('engine') is not None}")
    for ruleset, players in (("classic", 2), ("deluxe", 3)):
        game = played(ruleset, players, ("easy", "random", "random"))
        record = load_record(json.dumps(write_record(game.record())).encode())
        print(f"{ruleset} {replay(record).as_json()} {len(list(steps_of(record))) == len(game.history)}")
    game = played("classic", 2, ("medium", "easy"))
    print(f"medium {game.result is not None}")


main()
