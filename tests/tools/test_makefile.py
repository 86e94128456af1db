import os
import shutil
import subprocess
from pathlib import Path

import pytest

from haggis_service.settings.base import ROOT

MAKE = shutil.which("make") or "make"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Provide a folder with the Makefile and the locks."""
    for name in ("Makefile", "requirements-dev.lock", "requirements-bench.lock"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("environment", (".venv", ".venv-bench"))
def test_make_refuses_to_empty_a_linked_environment(checkout: Path, environment: str) -> None:
    shared = checkout / "shared"
    shared.mkdir()
    (shared / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (checkout / environment).symlink_to(shared)
    result = subprocess.run(
        [MAKE, f"{environment}/installed", "PYTHON=false"],
        cwd=checkout,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert f"{environment} is a link to {shared}" in result.stderr
    assert (shared / "pyvenv.cfg").exists()


def test_make_worlds_selects_the_test_of_two_worlds() -> None:
    recipe = subprocess.run(
        [MAKE, "--dry-run", "--always-make", "worlds", "PYTHON=false"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    command = next(line for line in recipe.replace("\\\n", " ").splitlines() if "tests/games/worlds" in line)
    selected = command.partition('-k "')[2].partition('"')[0]
    tests = (ROOT / "tests/games/worlds/test_two_worlds.py").read_text(encoding="utf-8")
    assert selected
    assert f"{selected}_only_in_hidden_cards" in tests
