import json
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from engine._build_guard import MANIFEST, StaleBuild, digest, refuse_stale_build


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "hand.py").write_text("FACES = 3\n")
    return tmp_path


def write_build(package: Path, suffix: str = EXTENSION_SUFFIXES[0]) -> None:
    sources = {"cards/hand.py": digest(package / "cards" / "hand.py")}
    (package / MANIFEST).write_text(json.dumps({"suffix": suffix, "sources": sources}))


def test_an_engine_without_a_build_is_accepted(package: Path) -> None:
    refuse_stale_build(package)


def test_a_current_build_is_accepted(package: Path) -> None:
    write_build(package)
    refuse_stale_build(package)


def test_a_stale_build_is_refused_with_the_changed_files_and_the_remedy(package: Path) -> None:
    write_build(package)
    (package / "cards" / "hand.py").write_text("FACES = 4\n")
    with pytest.raises(StaleBuild, match=r"cards/hand\.py\. Run `make compiled`.*`make clean-compiled`"):
        refuse_stale_build(package)


def test_a_build_of_a_missing_source_is_refused(package: Path) -> None:
    write_build(package)
    (package / "cards" / "hand.py").unlink()
    with pytest.raises(StaleBuild, match="cards/hand"):
        refuse_stale_build(package)


def test_a_build_for_another_python_is_ignored(package: Path) -> None:
    write_build(package, suffix=".cpython-27-vax.so")
    (package / "cards" / "hand.py").write_text("FACES = 4\n")
    refuse_stale_build(package)
