"""The examples with the generated Python client pass strict type checks and play on a real server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.test_generated import output_of
from tools.build_clients import PYTHON, ROOT

PLAYER = Path(__file__).with_name("terminal_player.py")

pytestmark = pytest.mark.timeout(300)


def test_examples_pass_strict_type_checks(python_client: Path) -> None:
    checked = [sys.executable, "-m", "mypy", "--config-file", str(PYTHON / "pyproject.toml")]
    checked += ["--explicit-package-bases", "examples/bot.py", "examples/online"]
    done = subprocess.run(
        checked,
        cwd=ROOT,
        env={"MYPYPATH": f"{python_client}:{ROOT}", "PATH": "/usr/bin:/bin"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_bot_plays_several_matches_over_one_stream(site: str) -> None:
    bot = [sys.executable, str(ROOT / "examples" / "bot.py"), site, "--against", "easy", "--matches", "3"]
    assert output_of(bot).startswith("finished 3 matches: ")


def test_terminal_client_plays_a_round(site: str, python_client: Path) -> None:
    said = output_of([sys.executable, str(PLAYER), site], PYTHONPATH=f"{python_client}:{ROOT}")
    assert said.splitlines()[-1].startswith("finished")
    assert {"chosen", "hinted", "played"} <= set(said.split())
