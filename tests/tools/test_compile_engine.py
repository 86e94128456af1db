"""The compiler on a small engine of two modules, with the guard of the real one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import _build_guard
from tools import compile_engine

TOOL = Path(compile_engine.__file__)
PROJECT = '[tool.haggis]\ncompiled = ["engine.rounds.*"]\n'
GUARDED = """\
from pathlib import Path
from engine._build_guard import refuse_stale_build
refuse_stale_build(Path(__file__).parent)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    rounds = tmp_path / "engine" / "rounds"
    rounds.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "engine" / "__init__.py").write_text(GUARDED)
    shutil.copy(_build_guard.__file__, tmp_path / "engine" / "_build_guard.py")
    (tmp_path / "engine" / "points.py").write_text("from typing import Final\nPOINTS: Final = 5\n")
    (rounds / "__init__.py").write_text("")
    (rounds / "score.py").write_text(
        "from engine.points import POINTS\n\n\ndef score(cards: int) -> int:\n    return POINTS * cards\n"
    )
    return tmp_path


def compile_engine_in(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    tool = [sys.executable, str(TOOL), command, "--root", str(root)]
    return subprocess.run(tool, capture_output=True, text=True, check=False)


def play(root: Path) -> subprocess.CompletedProcess[str]:
    program = "from engine.rounds import score; print(score.__file__.rpartition('.')[2], score.score(3))"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False
    )


def test_listed_modules_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TOOL.parent.parent)
    assert Path("engine/cards/hand.py") in compile_engine.listed_modules()


@pytest.mark.needs("compiler")
def test_compiled_engine_plays_identically_until_a_source_is_edited(root: Path) -> None:
    built = compile_engine_in(root, "build")
    assert built.stdout == "Compiled engine/rounds/score.py.\n", built.stderr
    assert play(root).stdout == "so 15\n"

    (root / "engine" / "points.py").write_text("from typing import Final\nPOINTS: Final = 6\n")
    assert "StaleBuild: Changed since the engine was compiled: points.py." in play(root).stderr

    assert compile_engine_in(root, "clean").returncode == 0
    assert play(root).stdout == "py 18\n"
    assert not list((root / "engine").rglob("*.so"))


@pytest.mark.needs("compiler")
def test_failed_build_reports_the_error_and_leaves_the_plain_engine(root: Path) -> None:
    (root / "engine" / "rounds" / "score.py").write_text("def score(cards: int) -> int:\n    return 'many'\n")
    failed = compile_engine_in(root, "build")
    assert failed.returncode == 1
    assert "Incompatible return value type" in failed.stderr
    assert play(root).stdout == "py many\n"


@pytest.mark.parametrize("name", ("engine.nowhere", "engine.nowhere.*"))
def test_listed_module_that_does_not_exist_is_an_error(root: Path, name: str) -> None:
    (root / "pyproject.toml").write_text(f'[tool.haggis]\ncompiled = ["engine.rounds.*", "{name}"]\n')
    failed = compile_engine_in(root, "build")
    assert failed.returncode == 1
    assert f"there is no module {name}" in failed.stderr


def test_dependencies_include_indirect_imports(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "engine" / "rounds" / "bets.py").write_text("import json\nimport engine.rounds.score\n")
    monkeypatch.chdir(root)
    dependencies = compile_engine.with_dependencies([Path("engine/rounds/bets.py")])
    assert {path.name for path in dependencies} == {
        "bets.py",
        "score.py",
        "points.py",
        "__init__.py",
        "_build_guard.py",
    }
