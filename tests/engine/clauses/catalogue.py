"""Load every clause of the five published rule texts, by name, from the TOML files in this folder.

A clause that several texts state is in common.toml and is called `common.<section>.<name>`; each text lists
those that it states under `[shared]`. Its own clauses are called `<text>.<section>.<name>`.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
TEXTS: Final = ("classic", "revised", "booklet", "haggish", "deluxe")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def own_clauses(name: str) -> dict[str, str]:
    """Return the clauses of one file: name to sentence."""
    return {
        f"{name}.{section}.{clause}": text
        for section, clauses in _read(name).items()
        if section != "shared"
        for clause, text in clauses.items()
    }


def shared_clauses(text: str) -> list[str]:
    """Return the names of the common clauses that a text states."""
    return [
        f"common.{section}.{clause}" for section, names in _read(text)["shared"].items() for clause in names
    ]


def every_clause() -> dict[str, str]:
    """Return every clause of every text."""
    return {name: text for file in ("common", *TEXTS) for name, text in own_clauses(file).items()}
