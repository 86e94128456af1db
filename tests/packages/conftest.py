"""The built packages, once for all workers."""

import fcntl
from pathlib import Path

import pytest

from tools.packages.__main__ import PACKAGES, build

# Programs for environments in which the packages are installed.
collect_ignore = ["programs"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Provide the folder of all built packages, without compiled wheels."""
    common = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        common = common.parent
    folder = common / "built-packages"
    with (common / "built-packages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            list(build(PACKAGES, folder, pythons=[]))
            (folder / "complete").touch()
    return folder
