"""The map of modules and names that a refactoring changes.

A map is a file of tab-separated lines `old<TAB>new`; further columns, empty lines and lines that begin with
`#` are ignored. What a line means follows from its form:

| old | new | meaning |
| --- | --- | --- |
| `games.core.queues` or `games/core/queues.py` | `games.core.queues` | a module moves, or several merge |
| `tests.games.lobby.*` | `tests.lobby.*` | a package moves with all its modules |
| `games.core.queues:tell` | `games.matches.publish` | one definition moves |
| `games.core.queues:tell` | `publish` | one definition is renamed |
| `games.core.queues:tell` | `games.matches.publish:publish` | both |
| `tell` | `publish` | an identifier is renamed; repeat the line for further new names |
| `"kept answers"` | `"cached responses"` | a string changes |

A line of a module that is new or dropped has `-` on the other side, and is ignored.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_NONE = frozenset[str]()


class InvalidMapError(Exception):
    """Raised for a line that cannot be read."""


@dataclass(slots=True)
class Renames:
    """What an old module, definition, identifier or string may be called now."""

    modules: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    definitions: dict[tuple[str, str], tuple[str | None, str | None]] = field(default_factory=dict)
    identifiers: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    strings: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def module(self, old: str) -> str:
        """Return the new name of a module."""
        if old in self.modules:
            return self.modules[old]
        for package, new in self.packages.items():
            if old == package or old.startswith(f"{package}."):
                return new + old[len(package) :]
        return old

    def definition(self, module: str, name: str) -> tuple[str, list[str]]:
        """Return the new module of a definition and the names it may have there, the likeliest first."""
        new_module, new_name = self.definitions.get((module, name), (None, None))
        names = [new_name] if new_name else [name, *sorted(self.identifiers.get(name, _NONE))]
        return new_module or self.module(module), names

    def allows_identifier(self, old: str, new: str) -> bool:
        """Return whether an identifier may have become another."""
        return old == new or new in self.identifiers.get(old, _NONE)

    def allows_string(self, old: str, new: str) -> bool:
        """Return whether a string constant may have become another."""
        return old == new or new in self.strings.get(old, _NONE)


def read_renames(paths: Iterable[Path]) -> Renames:
    """Read map files; a later line overrides an earlier one about the same module or definition."""
    renames = Renames()
    for path in paths:
        for number, old, new in _lines(path):
            if not _add(renames, old, new):
                raise InvalidMapError(f"{path}:{number}: cannot read {old!r} -> {new!r}")
    return renames


def module_name(path: str) -> str:
    """Return the dotted name of a module.

    >>> module_name("games/core/__init__.py")
    'games.core'
    """
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _lines(path: Path) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        columns = [column.strip() for column in line.split("\t")]
        if columns[0].startswith("#") or len(columns) < 2 or "-" in columns[:2]:  # noqa: PLR2004
            continue
        yield number, columns[0], columns[1]


def _add(renames: Renames, old: str, new: str) -> bool:
    """Add one line; return `False` if it has no known form."""
    if old.startswith('"'):
        renames.strings[json.loads(old)].add(json.loads(new))
        return True
    if ":" in old:
        module, _, name = old.partition(":")
        renames.definitions[module, name] = _new_definition(new)
        return True
    old, new = _dotted(old), _dotted(new)
    if old.endswith(".*") and new.endswith(".*"):
        renames.packages[old[:-2]] = new[:-2]
    elif "." in old:
        renames.modules[old] = new
    elif old.isidentifier() and new.isidentifier():
        renames.identifiers[old].add(new)
    else:
        return False
    return True


def _new_definition(new: str) -> tuple[str | None, str | None]:
    module, colon, name = new.partition(":")
    if colon:
        return module, name
    return (new, None) if "." in new else (None, new)


def _dotted(name: str) -> str:
    return module_name(name) if name.endswith(".py") else name
