"""The research example answers its questions from both formats of a month, and draws them."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from games.ai.services import take_turn
from games.matches.models.log import Round
from games.matches.models.match import Match
from games.records.exports import file_path, plan_exports, write_next_export
from games.records.publication import publish_finished_matches
from haggis_service.settings.base import ROOT
from tests.support.factories import start_match

PROGRAM = ROOT / "examples" / "research" / "month.py"


@pytest.fixture
def month(db: None, settings: Any, tmp_path: Path) -> None:
    settings.HAGGIS_EXPORTS_DIR = tmp_path / "exports"
    for seats in (2, 3):
        match = start_match(*["random"] * seats, rounds=3)
        while take_turn(match_id=match.pk, version=match.version):
            match.refresh_from_db()
    Match.objects.update(finished_at=datetime(2026, 10, 5, tzinfo=UTC))
    publish_finished_matches()
    plan_exports(now=datetime(2026, 11, 3, tzinfo=UTC))
    while write_next_export():
        pass


def test_both_formats_give_the_same_answers_and_plots(month: None, tmp_path: Path) -> None:
    answers, plots = [], []
    for name in ("haggis-2026-10.parquet", "haggis-2026-10.ndjson.gz"):
        folder = tmp_path / Path(name).suffix
        command = [sys.executable, str(PROGRAM), str(file_path(name)), "--plots", str(folder)]
        completed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        answers.append(completed.stdout)
        plots.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert answers[0] == answers[1]
    assert plots[0] == plots[1]
    assert sorted(plots[0]) == ["bombs.svg", "leading.svg", "margins.svg"]
    rounds = list(Round.objects.all())
    led = sum(each.out[0] == each.leader for each in rounds) / len(rounds)
    assert f"2 matches, {len(rounds)} scored rounds" in answers[0]
    assert f"goes out first when leading: {led:.3f}" in answers[0]


def test_matches_of_an_ai_against_itself_are_read_like_a_month(tmp_path: Path) -> None:
    file = tmp_path / "self-play.ndjson.gz"
    play = ["-m", "examples.research.self_play", "--matches", "2", "--level", "random", "--target", "50"]
    subprocess.run([sys.executable, *play, "--to", str(file)], cwd=ROOT, check=True, timeout=120)
    command = [sys.executable, str(PROGRAM), str(file), "--plots", str(tmp_path / "plots")]
    completed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert completed.stdout.startswith("2 matches, ")
    assert len(list((tmp_path / "plots").iterdir())) == 3
