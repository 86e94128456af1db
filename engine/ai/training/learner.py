"""Train weights by gradient descent with the Adam optimizer."""

from typing import Final

from engine.ai.network.arrays import Floats, np
from engine.ai.network.features import play_width, situation_width
from engine.ai.network.model import ANSWERS, POINTS
from engine.ai.training.samples import Samples

Weights = dict[str, Floats]

FIRST_LAYER: Final = 96
SECOND_LAYER: Final = 32
BATCH: Final = 256
MOMENTUM: Final = 0.9
SCALE_MEMORY: Final = 0.999
_TINY: Final = 1e-8
# The resulting weights are averages over about this many steps, which smooths out single batches.
AVERAGED_STEPS: Final = 600
# The weight of an error in the lead, in the chance of going out first, and in the own points.
_COUNTS: Final = np.array([1.0, 1.0, 0.5], dtype=np.float32)


def fresh_weights(
    players: int, rng: np.random.Generator, *, first: int = FIRST_LAYER, second: int = SECOND_LAYER
) -> Weights:
    """Return randomly initialised weights."""

    def layer(rows: int, columns: int, gain: float) -> Floats:
        drawn: Floats = (rng.standard_normal((rows, columns)) * gain / np.sqrt(rows)).astype(np.float32)
        return drawn

    return {
        "play": layer(play_width(players), first, 1.4),
        "situation": layer(situation_width(players), first, 1.0),
        "first": np.zeros(first, np.float32),
        "hidden": layer(first, second, 1.4),
        "second": np.zeros(second, np.float32),
        "answer": layer(second, ANSWERS, 0.3),
        "third": np.zeros(ANSWERS, np.float32),
    }


class Learner:
    """Weights and the state of the optimizer."""

    def __init__(self, weights: Weights) -> None:
        """Start with zero momentum."""
        self.weights = weights
        self.averaged = {name: values.copy() for name, values in weights.items()}
        self.movement = {name: np.zeros_like(values) for name, values in weights.items()}
        self.scale = {name: np.zeros_like(values) for name, values in weights.items()}
        self.batches = 0

    def learn(self, samples: Samples, rate: float) -> float:
        """Take one optimizer step; return the mean square error of the lead, in points."""
        gradients, error = self._gradients(samples)
        self.batches += 1
        started = 1 - MOMENTUM**self.batches, 1 - SCALE_MEMORY**self.batches
        for name, gradient in gradients.items():
            self.movement[name] += (1 - MOMENTUM) * (gradient - self.movement[name])
            self.scale[name] += (1 - SCALE_MEMORY) * (gradient * gradient - self.scale[name])
            step = self.movement[name] / started[0] / (np.sqrt(self.scale[name] / started[1]) + _TINY)
            self.weights[name] -= np.float32(rate) * step
        self._average()
        return error

    def _average(self) -> None:
        part = np.float32(1 / min(AVERAGED_STEPS, self.batches))
        for name, values in self.weights.items():
            self.averaged[name] += part * (values - self.averaged[name])

    def _gradients(self, samples: Samples) -> tuple[Weights, float]:
        weights = self.weights
        before = (
            samples.plays @ weights["play"] + samples.situations @ weights["situation"] + weights["first"]
        )
        first = np.maximum(before, 0)
        between = first @ weights["hidden"] + weights["second"]
        second = np.maximum(between, 0)
        answers = second @ weights["answer"] + weights["third"]
        answers[:, 1] = 1 / (1 + np.exp(-answers[:, 1]))
        targets = samples.targets / np.array([POINTS, 1, POINTS], dtype=np.float32)
        errors = answers - targets
        error = float(np.mean(errors[:, 0] ** 2)) * POINTS**2
        errors *= _COUNTS / len(samples)
        into_second = (errors @ weights["answer"].T) * (between > 0)
        into_first = (into_second @ weights["hidden"].T) * (before > 0)
        gradients = {
            "play": samples.plays.T @ into_first,
            "situation": samples.situations.T @ into_first,
            "first": into_first.sum(axis=0),
            "hidden": first.T @ into_second,
            "second": into_second.sum(axis=0),
            "answer": second.T @ errors,
            "third": errors.sum(axis=0),
        }
        return gradients, error
