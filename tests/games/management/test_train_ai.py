import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from engine.ai.network.weights import read_network
from engine.ai.training import self_play, training


@pytest.fixture(autouse=True)
def small_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "PIECE", 200)
    monkeypatch.setattr(self_play.SelfPlay.__init__, "__kwdefaults__", {"at_once": 10})


def train(folder: Path, *arguments: str) -> str:
    out = StringIO()
    folders = ("--into", str(folder / "weights"), "--keep", str(folder / "checkpoints"))
    call_command("train_ai", *arguments, *folders, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_train_ai_trains_both_networks_and_records_the_command(tmp_path: Path) -> None:
    train(tmp_path, "--rounds", "20")
    for players in (2, 3):
        assert read_network(players, tmp_path / "weights" / f"players-{players}.npz").players == players
        note = json.loads((tmp_path / "weights" / f"players-{players}.json").read_text(encoding="utf-8"))
        assert note["command"] == f"manage.py train_ai --players {players} --rounds 20 --seed 1"


def test_a_finished_training_is_not_repeated(tmp_path: Path) -> None:
    train(tmp_path, "--rounds", "20", "--players", "2")
    before = (tmp_path / "checkpoints" / "players-2-rounds-20-seed-1.npz").stat().st_mtime_ns
    train(tmp_path, "--rounds", "20", "--players", "2")
    assert (tmp_path / "checkpoints" / "players-2-rounds-20-seed-1.npz").stat().st_mtime_ns == before
