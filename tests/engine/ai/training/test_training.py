from pathlib import Path
from random import Random

import pytest

from engine.ai.network.arrays import np
from engine.ai.network.weights import read_network
from engine.ai.training import self_play, training
from engine.ai.training.learner import Learner, fresh_weights
from engine.ai.training.samples import TRACE, Step, targets_of
from engine.ai.training.tables import tables_for
from engine.ai.training.training import PARTS, Training, write_weights


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "PIECE", 300)
    monkeypatch.setattr(self_play.SelfPlay.__init__, "__kwdefaults__", {"at_once": 12})


@pytest.mark.parametrize("players", (2, 3))
def test_training_reduces_the_error(players: int) -> None:
    learning = Training(players, rounds=150, seed=1)
    before = learning.network.weights["third"].copy()
    errors = [progress.error for progress in learning.run()]
    assert learning.rounds >= 150
    assert all(0 < error < 1000 for error in errors)
    assert not np.array_equal(learning.network.weights["third"], before)


def test_more_passes_over_the_same_decisions_reduce_the_error() -> None:
    play = self_play.SelfPlay(Training(2, 1, 1).network, tables_for(2), Random(1), at_once=12)
    samples = play.samples(300)
    learner = Learner(fresh_weights(2, np.random.default_rng(1)))
    errors = [learner.learn(samples, 1e-3) for _ in range(40)]
    assert errors[-1] < errors[0] / 2


def test_a_loaded_training_continues_as_if_never_saved(tmp_path: Path) -> None:
    first = Training(2, rounds=60, seed=3)
    list(first.run())
    first.save(tmp_path / "training.npz")
    again = Training.load(tmp_path / "training.npz")
    assert (again.rounds, again.pieces, again.learner.batches) == (
        first.rounds,
        first.pieces,
        first.learner.batches,
    )
    for part in PARTS:
        for name, values in getattr(first.learner, part).items():
            assert np.array_equal(getattr(again.learner, part)[name], values)


def test_training_is_reproducible_by_its_seed() -> None:
    trained = []
    for _ in range(2):
        learning = Training(2, rounds=40, seed=5)
        list(learning.run())
        trained.append(learning.learner.weights["play"])
    assert np.array_equal(trained[0], trained[1])


def test_weights_are_written_and_read_in_half_precision(tmp_path: Path) -> None:
    network = Training(3, rounds=1, seed=1).network
    write_weights(network, tmp_path / "weights.npz")
    read = read_network(3, tmp_path / "weights.npz")
    for name, values in network.weights.items():
        assert np.allclose(read.weights[name], values, atol=2e-3)


def test_training_includes_every_way_to_score() -> None:
    assert {rules.key for rules in tables_for(2)} == {"classic", "revised", "booklet", "haggish", "deluxe"}
    captures = {(rules.key, rules.bomb_capture.value) for rules in tables_for(3)}
    assert {key for key, capture in captures if capture != "winner_chooses"} == {key for key, _ in captures}


NOTHING = np.zeros(1, dtype=np.float32)


def test_the_target_mixes_the_end_of_the_round_with_later_expectations() -> None:
    steps = [
        Step(0, NOTHING, NOTHING, expected=7.0, explored=False, captured=(0, 0)),
        Step(0, NOTHING, NOTHING, expected=3.0, explored=False, captured=(5, 0)),
    ]
    (first, _, _), (last, went_out, own) = targets_of(steps, [30, 10], first_out=0)
    assert (last, went_out, own) == (30 - 10 - 5, 1.0, 25.0)
    assert first == pytest.approx(TRACE * last + (1 - TRACE) * 3.0 + 5)


def test_an_exploratory_play_does_not_affect_the_targets_before_it() -> None:
    steps = [
        Step(0, NOTHING, NOTHING, expected=7.0, explored=False, captured=(0, 0)),
        Step(0, NOTHING, NOTHING, expected=3.0, explored=True, captured=(5, 0)),
    ]
    (first, _, _), (last, _, _) = targets_of(steps, [30, 10], first_out=0)
    assert (first, last) == (3.0 + 5, 30 - 10 - 5)


def test_the_resulting_weights_are_averages_over_many_steps() -> None:
    learning = Training(2, rounds=60, seed=1)
    list(learning.run())
    used, last = learning.network.weights["play"], learning.learner.weights["play"]
    assert used is learning.learner.averaged["play"]
    assert not np.array_equal(used, last)
    assert np.abs(used - last).mean() < np.abs(last).mean()
