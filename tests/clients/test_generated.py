"""The generated clients, unedited, play whole matches on a real server."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from games.gateway.release import VERSION
from tools.build_clients import PYTHON, TYPESCRIPT, build_typescript, lint_contract

PLAYED: Final = "finished: ambiguous bet bomb pass play; deals proven"

pytestmark = pytest.mark.timeout(600)


def output_of(command: list[str], **environment: str) -> str:
    done = subprocess.run(command, env=os.environ | environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def test_python_client_passes_strict_type_checks_and_plays_a_match(site: str, python_client: Path) -> None:
    checked = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(PYTHON / "pyproject.toml"),
        str(PYTHON / "play.py"),
    ]
    checked += [str(python_client / "haggis_client")]
    output_of(checked, MYPYPATH=str(python_client))
    assert output_of([sys.executable, str(PYTHON / "play.py"), site], PYTHONPATH=str(python_client)) == PLAYED


@pytest.mark.needs("node")
def test_typescript_client_compiles_and_plays_a_match(site: str) -> None:
    build_typescript()
    assert output_of(["node", str(TYPESCRIPT / "dist" / "play.js"), site]) == PLAYED


@pytest.mark.needs("node")
def test_contract_passes_the_linter() -> None:
    lint_contract()


def test_packages_have_the_version_of_the_contract() -> None:
    python = tomllib.loads((PYTHON / "pyproject.toml").read_text(encoding="utf-8"))
    typescript = json.loads((TYPESCRIPT / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((TYPESCRIPT / "package-lock.json").read_text(encoding="utf-8"))
    assert {python["project"]["version"], typescript["version"], lock["version"]} == {VERSION}


def test_npm_lock_names_no_registry() -> None:
    lock = (TYPESCRIPT / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
