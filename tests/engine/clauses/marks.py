"""Find the clauses in marks such as `@pytest.mark.clause("common.sets.one-rank")` without running tests."""

import ast
from collections.abc import Iterator
from pathlib import Path


def marks_in(source: str) -> Iterator[str]:
    """Yield the clauses that a test file names; the names must be literals, so that they can be searched for.

    >>> list(marks_in('pytestmark = pytest.mark.clause("a.b.c", "a.b.d")'))
    ['a.b.c', 'a.b.d']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            for argument in node.args:
                yield _written_out(argument)


def _written_out(argument: ast.expr) -> str:
    match argument:
        case ast.Constant(value=str(name)):
            return name
        case _:
            message = (
                f"line {argument.lineno}: a clause is named by a plain string, not {ast.unparse(argument)}"
            )
            raise ValueError(message)


def marks_under(folder: Path) -> dict[str, list[Path]]:
    """Return every clause that some test in the folder names, with the files of these tests."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for name in marks_in(path.read_text(encoding="utf-8")):
            found.setdefault(name, []).append(path)
    return found
