"""Show that a refactoring changed no behaviour: compare the syntax trees of two commits.

    python -m tools.compare_trees main                                # with the work tree
    python -m tools.compare_trees main HEAD --map renames.tsv         # with another commit

The comparison ignores moves and renames that a map lists (tools/refactoring/renames.py describes its format),
imports, docstrings, comments, new names of local variables and of tests, and the order of definitions in a
module. Everything else is printed by function, and the exit status is 1. Names that are missing from the map
are listed at the end in the format of a map.
"""

import argparse
import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.refactoring.differences import Comparison, Difference, is_insignificant, shown
from tools.refactoring.renames import InvalidMapError, Renames, read_renames
from tools.refactoring.source_tree import Module, SourceTree, commit_sources, work_tree_sources

_ROOT: Final = Path(__file__).resolve().parent.parent
_UNNAMED: Final = ""
_SHOWN_PER_FUNCTION: Final = 3
# Lists of what a module exports follow from what it defines.
_EXPORTS: Final = "__all__"

Key = tuple[str, str]


@dataclass(slots=True)
class Report:
    """What differs, by function; the names that are in no map; and how much was compared."""

    differences: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    unmapped: Counter[tuple[str, str]] = field(default_factory=Counter)
    compared: int = 0

    def add(self, place: str, text: str) -> None:
        """Record one difference."""
        self.differences[place].append(text)


@dataclass(frozen=True, slots=True)
class _Definition:
    module: Module
    name: str
    statements: tuple[ast.stmt, ...]


def compare(old: SourceTree, new: SourceTree, renames: Renames, only: Sequence[str] = ()) -> Report:
    """Compare every module of the old tree, or those below the packages in `only`, with its new version."""
    report = Report()
    after = {(each.module.name, each.name): each for each in _all_definitions(new)}
    unnamed: defaultdict[str, list[_Definition]] = defaultdict(list)
    unmatched: list[_Definition] = []
    matched: set[Key] = set()
    for definition in _all_definitions(old):
        key = _new_key(definition, renames, after)
        matched.add(key)
        if not _is_within(definition.module.name, only):
            continue
        if definition.name == _UNNAMED:
            unnamed[key[0]].append(definition)
        elif key in after:
            _compare_definitions((old, definition), (new, after[key]), renames, report)
        else:
            unmatched.append(definition)
    for module, definitions in unnamed.items():
        _compare_unnamed((old, definitions), (new, after.get((module, _UNNAMED))), renames, report)
    rest = {key: each for key, each in after.items() if key not in matched and _is_within(key[0], only)}
    _match_tests((old, unmatched), (new, rest), renames, report)
    return report


def _is_within(module: str, packages: Sequence[str]) -> bool:
    return not packages or any(f"{module}.".startswith(f"{package}.") for package in packages)


def _all_definitions(tree: SourceTree) -> Iterator[_Definition]:
    """Yield what each module defines, by name; statements that define nothing come together without one."""
    for module in tree.modules.values():
        found: defaultdict[str, list[ast.stmt]] = defaultdict(list)
        for statement in module.tree.body:
            if not is_insignificant(statement):
                found[_defined_name(statement)].append(statement)
        found.pop(_EXPORTS, None)
        yield from (_Definition(module, name, tuple(statements)) for name, statements in found.items())


def _defined_name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return statement.name
    target = getattr(statement, "target", None)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) and not isinstance(statement, ast.For) else _UNNAMED


def _new_key(definition: _Definition, renames: Renames, added: dict[Key, _Definition]) -> Key:
    if definition.name == _UNNAMED:
        return renames.module(definition.module.name), _UNNAMED
    module, names = renames.definition(definition.module.name, definition.name)
    return next(((module, name) for name in names if (module, name) in added), (module, names[0]))


def _compare_definitions(
    old: tuple[SourceTree, _Definition], new: tuple[SourceTree, _Definition], renames: Renames, report: Report
) -> None:
    """Compare all statements that define one name."""
    (old_tree, before), (new_tree, after) = old, new
    comparison = Comparison((old_tree, before.module), (new_tree, after.module), renames)
    place = _place(before) if _place(before) == _place(after) else f"{_place(before)} -> {_place(after)}"
    if len(before.statements) != len(after.statements):
        report.add(place, f"{len(before.statements)} statements became {len(after.statements)}")
        return
    for left, right in zip(before.statements, after.statements, strict=True):
        comparison.compare(left, right)
    _add_differences(comparison, before, place, report)


def _compare_unnamed(
    old: tuple[SourceTree, list[_Definition]],
    new: tuple[SourceTree, _Definition | None],
    renames: Renames,
    report: Report,
) -> None:
    """Compare the statements without a name: in order, or in any order where several modules became one."""
    (old_tree, earlier), (new_tree, after) = old, new
    left = list(after.statements) if after else []
    for before in earlier:
        if after and len(earlier) == 1 and len(before.statements) == len(left):
            _compare_definitions((old_tree, before), (new_tree, after), renames, report)
            return
        for statement in before.statements:
            equal = next(
                (
                    each
                    for each in left
                    if after
                    and Comparison((old_tree, before.module), (new_tree, after.module), renames).equal(
                        statement, each
                    )
                ),
                None,
            )
            if equal is None:
                report.add(_place(before), f"line {statement.lineno}: removed or changed: {shown(statement)}")
            else:
                left.remove(equal)
        report.compared += 1
    for statement in left if after else []:
        report.add(_place(after or earlier[0]), f"line {statement.lineno}: added: {shown(statement)}")


def _add_differences(comparison: Comparison, before: _Definition, place: str, report: Report) -> None:
    report.compared += 1
    report.unmapped.update(comparison.unmapped)
    for difference in comparison.differences:
        report.add(_place_of(difference, before, place), _text(difference))


def _place_of(difference: Difference, before: _Definition, place: str) -> str:
    _, _, inner = difference.where.partition(".")
    return f"{_place(before)}.{inner}" if inner else place


def _place(definition: _Definition) -> str:
    return f"{definition.module.name}:{definition.name or '(statements)'}"


def _text(difference: Difference) -> str:
    return f"line {difference.old_line} -> {difference.new_line}: {difference.text}"


def _match_tests(
    old: tuple[SourceTree, list[_Definition]],
    new: tuple[SourceTree, dict[Key, _Definition]],
    renames: Renames,
    report: Report,
) -> None:
    """Accept tests with a new name; report everything else without a counterpart as removed or added."""
    (old_tree, removed), (new_tree, added) = old, new
    added = dict(added)
    for before in removed:
        module = renames.module(before.module.name)
        for key, after in added.items():
            if key[0] == module and _are_equal((old_tree, before), (new_tree, after), renames):
                del added[key]
                if not _is_test(before) or not _is_test(after):
                    report.add(_place(before), f"renamed without being in the map: {after.name}")
                    report.unmapped[before.name, after.name] += 1
                report.compared += 1
                break
        else:
            report.add(_place(before), "removed")
    for after in added.values():
        report.add(_place(after), "added")


def _is_test(definition: _Definition) -> bool:
    return definition.name.startswith(("test_", "Test"))


def _are_equal(
    old: tuple[SourceTree, _Definition], new: tuple[SourceTree, _Definition], renames: Renames
) -> bool:
    """Return whether two functions or classes are equal but for their names."""
    (old_tree, before), (new_tree, after) = old, new
    comparison = Comparison((old_tree, before.module), (new_tree, after.module), renames)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    if (
        len(before.statements) != 1
        or len(after.statements) != 1
        or not isinstance(before.statements[0], kinds)
    ):
        return False
    return comparison.equal(before.statements[0], after.statements[0])


def _print(report: Report) -> None:
    for place, texts in sorted(report.differences.items()):
        print(place)
        for text in texts[:_SHOWN_PER_FUNCTION]:
            print(f"  {text}")
        if len(texts) > _SHOWN_PER_FUNCTION:
            print(f"  and {len(texts) - _SHOWN_PER_FUNCTION} more")
    if report.unmapped:
        print("\nMissing from the map:")
        for (old, new), count in report.unmapped.most_common():
            print(f"{old}\t{new}\t{count}")
    print(f"\n{report.compared} definitions compared, {len(report.differences)} differ.")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="tools.compare_trees"
    )
    parser.add_argument("old", help="the commit before the refactoring")
    parser.add_argument("new", nargs="?", help="the commit after it (default: the work tree)")
    parser.add_argument(
        "--map", type=Path, action="append", default=[], help="what was renamed; may be repeated"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="PACKAGE", help="compare only this package"
    )
    parser.add_argument("--repository", type=Path, default=_ROOT, help="the folder of the repository")
    options = parser.parse_args(arguments)
    try:
        renames = read_renames(options.map)
    except InvalidMapError as error:
        print(error, file=sys.stderr)
        return 2
    old = SourceTree(commit_sources(options.repository, options.old))
    sources = commit_sources(options.repository, options.new) if options.new else None
    new = SourceTree(sources or work_tree_sources(options.repository))
    report = compare(old, new, renames, options.only)
    _print(report)
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
