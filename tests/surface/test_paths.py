"""No published path is ever removed: `paths.txt` lists every method and path of API v1."""

import os
from pathlib import Path
from typing import Final

from games.api.schema.document import document
from tests.surface.snapshot import RECORDING

PUBLISHED: Final = Path(__file__).with_name("paths.txt")


def served() -> set[str]:
    """Return the methods and paths that the contract describes."""
    return {f"{method.upper()} {path}" for path, methods in document()["paths"].items() for method in methods}


def published() -> set[str]:
    """Return the methods and paths that were ever published."""
    return set(PUBLISHED.read_text(encoding="utf-8").splitlines())


def test_no_published_path_is_removed() -> None:
    assert sorted(published() - served()) == [], "clients use these; see docs/versioning.md"


def test_every_path_is_listed_as_published() -> None:
    if os.environ.get(RECORDING):
        PUBLISHED.write_text("\n".join(sorted(published() | served())) + "\n", encoding="utf-8")
    assert sorted(served() - published()) == [], "add them: python -m tests.surface.record"


def test_the_list_is_sorted_and_literal() -> None:
    lines = PUBLISHED.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(set(lines))
    assert {line.partition(" ")[2].startswith("/api/v1/") for line in lines} == {True}
