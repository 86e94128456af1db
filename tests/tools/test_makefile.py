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
