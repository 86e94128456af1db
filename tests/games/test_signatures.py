"""No function that another room imports has a loose dict in its signature: types say what values contain."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOMS: Final = Path("games")
LOOSE: Final = ("dict[str, Any]", "dict[str, object]", "Mapping[str, Any]", "JsonObject")
# Methods whose signatures REST framework defines.
OVERRIDES: Final = frozenset({"parse", "render", "to_internal_value", "validate"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> dict[str, ast.Module]:
    paths = [path for path in ROOMS.rglob("*.py") if "migrations" not in path.parts]
    return {".".join(path.with_suffix("").parts): ast.parse(path.read_text("utf-8")) for path in paths}


def room_of(module: str) -> str:
    return module.split(".")[1]


def imported_across_rooms(parsed: dict[str, ast.Module]) -> set[tuple[str, str]]:
    """Return module and name of everything that a module of another room imports."""
    return {
        (node.module, alias.name)
        for module, tree in parsed.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("games.")
        for alias in node.names
        if room_of(module) != room_of(node.module)
    }


def loose_annotations(function: Function) -> Iterator[str]:
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    annotations = [each.annotation for each in given] + [function.returns]
    for annotation in annotations:
        text = "" if annotation is None else ast.unparse(annotation)
        if any(loose in text for loose in LOOSE):
            yield text


def public_functions(node: ast.stmt) -> Iterator[Function]:
    """Yield a function, or the public methods of a class."""
    if isinstance(node, Function):
        yield node
    elif isinstance(node, ast.ClassDef):
        methods = [each for each in node.body if isinstance(each, Function)]
        yield from (each for each in methods if not each.name.startswith("_") and each.name not in OVERRIDES)


def test_no_loose_dict_crosses_rooms() -> None:
    parsed = modules()
    used = imported_across_rooms(parsed)
    found = [
        f"{module}.{function.name}: {text}"
        for module, tree in parsed.items()
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if (module, node.name) in used
        for function in public_functions(node)
        for text in loose_annotations(function)
    ]
    assert found == []
