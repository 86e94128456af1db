"""The Python modules of a commit or of the work tree, and what the names in them refer to."""

import ast
import io
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.refactoring.renames import module_name

_MOST_REEXPORTS: Final = 20
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NAMED: Final = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.MatchAs,
    ast.MatchStar,
)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Bindings:
    """The names that a scope binds: by an import to a dotted name, or in any other way."""

    names: frozenset[str]
    imports: dict[str, str]


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed module."""

    name: str
    tree: ast.Module
    bindings: Bindings
    star_imports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """What a dotted name refers to. `module` is empty for everything outside the repository."""

    module: str
    name: str | None = None
    rest: tuple[str, ...] = ()


class SourceTree:
    """All modules of one version of the repository."""

    def __init__(self, sources: Iterable[tuple[str, str]]) -> None:
        self.modules = {module.name: module for path, text in sources for module in [_parse(path, text)]}

    def locate(self, dotted: str) -> Reference:
        """Return what a dotted name refers to, followed through the modules that only re-export it."""
        for _ in range(_MOST_REEXPORTS):
            parts = dotted.split(".")
            module, rest = self._longest_module(parts)
            if not module:
                return Reference("", None, tuple(parts))
            if not rest:
                return Reference(module)
            target = self._reexported(module, rest[0])
            if target is None:
                return Reference(module, rest[0], tuple(rest[1:]))
            dotted = ".".join([target, *rest[1:]])
        return Reference("", None, tuple(dotted.split(".")))

    def _longest_module(self, parts: list[str]) -> tuple[str, list[str]]:
        for length in range(len(parts), 0, -1):
            name = ".".join(parts[:length])
            if name in self.modules:
                return name, parts[length:]
        return "", parts

    def _reexported(self, module: str, name: str) -> str | None:
        """Return where a module imports a name from, or `None` if it defines the name or does not have it."""
        found = self.modules[module]
        if name in found.bindings.names:
            return None
        if name in found.bindings.imports:
            return found.bindings.imports[name]
        for star in found.star_imports:
            reference = self.locate(f"{star}.{name}")
            if reference.module and self._defines(reference):
                return f"{reference.module}.{reference.name}"
        return None

    def _defines(self, reference: Reference) -> bool:
        return reference.name in self.modules[reference.module].bindings.names


def commit_sources(repository: Path, commit: str) -> Iterator[tuple[str, str]]:
    """Yield the path and text of every Python file of a commit."""
    command = ["git", "-C", str(repository), "archive", "--format=tar", commit]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            content = files.extractfile(member) if member.name.endswith(".py") else None
            if content is not None:
                yield member.name, content.read().decode()


def work_tree_sources(repository: Path) -> Iterator[tuple[str, str]]:
    """Yield the path and text of every Python file of the work tree that git does not ignore."""
    command = ["git", "-C", str(repository), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run([*command, "--", "*.py"], check=True, capture_output=True, text=True).stdout
    for name in sorted(set(listed.split("\0"))):
        path = repository / name
        if name and path.exists():
            yield name, path.read_text(encoding="utf-8")


def bindings(*nodes: ast.AST | None) -> Bindings:
    """Return what these nodes bind in their own scope, not in the scopes inside them."""
    names: set[str] = set()
    imports: dict[str, str] = {}
    for node in nodes:
        if node is not None:
            _bind(node, names, imports)
    return Bindings(frozenset(names), imports)


def _bind(node: ast.AST, names: set[str], imports: dict[str, str]) -> None:
    if isinstance(node, ast.Import | ast.ImportFrom):
        imports.update(_imports(node))
    names.update(_bound_names(node))
    if isinstance(node, _COMPREHENSIONS):
        names.update(each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
    elif not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            _bind(child, names, imports)


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            package = alias.name.partition(".")[0]
            yield package, package


def _bound_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, _NAMED) and node.name:
        yield node.name
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _parse(path: str, text: str) -> Module:
    tree = ast.parse(text, filename=path)
    stars = [
        node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]
    return Module(module_name(path), tree, bindings(*tree.body), tuple(stars))
