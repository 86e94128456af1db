"""Every clause of the five published rule texts, by name, read from the TOML files beside this one.

A clause that several texts state is in common.toml, named `common.<section>.<name>`; each text lists under
`[shared]` which of them it states, and has the rest as its own, named `<text>.<section>.<name>`.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
TEXTS: Final = ("classic", "revised", "booklet", "haggish", "deluxe")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def own_clauses(name: str) -> dict[str, str]:
    """The clauses written down in one file: name to sentence."""
    return {
        f"{name}.{section}.{clause}": text
        for section, clauses in _read(name).items()
        if section != "shared"
        for clause, text in clauses.items()
    }


def shared_clauses(text: str) -> list[str]:
    """The names of the common clauses that a text states."""
    return [
        f"common.{section}.{clause}" for section, names in _read(text)["shared"].items() for clause in names
    ]


def every_clause() -> dict[str, str]:
    """Every clause of every text."""
    return {name: text for file in ("common", *TEXTS) for name, text in own_clauses(file).items()}
