import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from engine.ai.network.weights import read_network
from engine.ai.training import self_play, training


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "PIECE", 200)
    monkeypatch.setattr(self_play.SelfPlay.__init__, "__kwdefaults__", {"at_once": 10})


def train(folder: Path, *arguments: str) -> str:
    out = StringIO()
    places = ("--into", str(folder / "weights"), "--keep", str(folder / "kept"))
    call_command("train_ai", *arguments, *places, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_one_command_trains_both_networks_and_notes_how(tmp_path: Path) -> None:
    train(tmp_path, "--rounds", "20")
    for players in (2, 3):
        assert read_network(players, tmp_path / "weights" / f"players-{players}.npz").players == players
        note = json.loads((tmp_path / "weights" / f"players-{players}.json").read_text(encoding="utf-8"))
        assert note["command"] == f"manage.py train_ai --players {players} --rounds 20 --seed 1"


def test_a_training_that_is_done_is_not_done_again(tmp_path: Path) -> None:
    train(tmp_path, "--rounds", "20", "--players", "2")
    before = (tmp_path / "kept" / "players-2-rounds-20-seed-1.npz").stat().st_mtime_ns
    train(tmp_path, "--rounds", "20", "--players", "2")
    assert (tmp_path / "kept" / "players-2-rounds-20-seed-1.npz").stat().st_mtime_ns == before
