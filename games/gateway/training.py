"""Training the networks of the levels, as a command asks for it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.ai.network.weights import FOLDER, file_for
from engine.ai.training.training import (
    FIRST_RATE,
    LAST_RATE,
    PASSES,
    PIECE,
    RECENT_PIECES,
    Training,
    write_weights,
)

# Where the package keeps its own weights.
PACKAGED: Final[Path] = FOLDER
ROUNDS: Final = {2: 240_000, 3: 100_000}


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training is."""

    rounds: int
    wanted: int
    error: float


def train(*, players: int, rounds: int, seed: int, into: Path, keep: Path) -> Iterator[TrainingProgress]:
    """Train, or go on from a checkpoint in `keep`, and write the weights and their note `into` a folder.

    A checkpoint is written after every piece, and belongs to one number of players, rounds and seed.
    """
    checkpoint = keep / f"players-{players}-rounds-{rounds}-seed-{seed}.npz"
    keep.mkdir(parents=True, exist_ok=True)
    training = Training.load(checkpoint) if checkpoint.exists() else Training(players, rounds, seed)
    for progress in training.run():
        training.save(checkpoint)
        yield TrainingProgress(min(progress.rounds, rounds), rounds, progress.error)
    into.mkdir(parents=True, exist_ok=True)
    write_weights(training.network, into / file_for(players))
    write_note(training, into / f"players-{players}.json")


def write_note(training: Training, path: Path) -> None:
    """Say beside the weights how they were made."""
    given = f"--players {training.players} --rounds {training.wanted} --seed {training.seed}"
    note: dict[str, Any] = {
        "command": f"manage.py train_ai {given}",
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
