"""Train a network from scratch, in pieces after which the training can be saved and resumed.

Each piece is a number of rounds of self-play, followed by several passes over these and the decisions of
recent pieces. The learning rate decreases towards the end. All randomness depends only on the seed and the
number of the piece.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from engine.ai.network.arrays import np
from engine.ai.network.model import Network
from engine.ai.training.learner import BATCH, Learner, fresh_weights
from engine.ai.training.samples import Samples
from engine.ai.training.self_play import SelfPlay
from engine.ai.training.tables import tables_for

PIECE: Final = 16_384  # decisions
RECENT_PIECES: Final = 8
# Playing a decision costs ten times as much as learning from it once, so each is learnt from often.
PASSES: Final = 8
# The parts of a learner that are saved in a checkpoint.
PARTS: Final = ("weights", "averaged", "movement", "scale")
FIRST_RATE: Final = 1e-3
LAST_RATE: Final = 3e-5


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a training, and the mean square error of the lead, in points squared."""

    rounds: int
    error: float


class Training:
    """One training: a number of rounds for a number of players from one seed."""

    def __init__(self, players: int, rounds: int, seed: int) -> None:
        """Start with untrained weights."""
        self.players = players
        self.target_rounds = rounds
        self.seed = seed
        self.rounds = 0
        self.pieces = 0
        self.learner = Learner(fresh_weights(players, np.random.default_rng(seed)))

    @property
    def network(self) -> Network:
        """The current network, which keeps learning."""
        return Network(self.players, self.learner.averaged)

    def run(self) -> Iterator[Progress]:
        """Play and learn until all rounds are played, yielding the progress."""
        rng = Random(f"{self.seed}/{self.pieces}")  # noqa: S311 -- training must be reproducible
        play = SelfPlay(self.network, tables_for(self.players), rng)
        recent: deque[Samples] = deque(maxlen=RECENT_PIECES)
        before = self.rounds
        while self.rounds < self.target_rounds:
            recent.append(play.samples(PIECE))
            self.rounds = before + play.finished
            self.pieces += 1
            yield Progress(self.rounds, self._learn(recent))

    def _learn(self, recent: deque[Samples]) -> float:
        rng = np.random.default_rng((self.seed, self.pieces))
        done = min(1.0, self.rounds / self.target_rounds)
        rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** done
        errors: list[float] = []
        for _ in range(PASSES):
            samples = recent[-1] if not errors else recent[int(rng.integers(len(recent)))]
            order = rng.permutation(len(samples))
            errors += [
                self.learner.learn(samples.part(order[start : start + BATCH]), rate)
                for start in range(0, len(order), BATCH)
            ]
        return float(np.mean(errors))

    def save(self, path: Path) -> None:
        """Save a checkpoint."""
        learner = self.learner
        arrays = {
            f"{part}.{name}": values for part in PARTS for name, values in getattr(learner, part).items()
        }
        counts = np.array(
            [self.players, self.target_rounds, self.seed, self.rounds, self.pieces, learner.batches]
        )
        waiting = path.with_name(path.name + ".new")
        with waiting.open("wb") as file:
            np.savez(file, counts=counts, **arrays)
        waiting.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Training":
        """Load a checkpoint."""
        with np.load(path, allow_pickle=False) as stored:
            counts = [int(each) for each in stored["counts"]]
            found = cls(counts[0], counts[1], counts[2])
            found.rounds, found.pieces, found.learner.batches = counts[3:]
            learner = found.learner
            for part in PARTS:
                for name, values in getattr(learner, part).items():
                    values[...] = stored[f"{part}.{name}"]
        return found


def write_weights(network: Network, path: Path) -> None:
    """Write the weights in half precision, as the levels read them."""
    halves = {name: values.astype(np.float16) for name, values in network.weights.items()}
    with path.open("wb") as file:
        np.savez_compressed(file, **halves)  # type: ignore[arg-type]  # arrays by name
