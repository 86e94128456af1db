"""Check that code and documentation use the vocabulary of the field: `python -m tools.check_language`.

`tools/language.toml` lists words that identifiers avoid, phrases that prose avoids, and the places where
one of them is right. Commit subjects since the list was introduced are checked as well, where there is a
history: imperative subjects are for a reviewer to judge, their length is for this program.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
LIST: Final = ROOT / "tools" / "language.toml"
PYTHON_FOLDERS: Final = (
    "benchmarks",
    "clients",
    "engine",
    "examples",
    "games",
    "haggis_service",
    "packages",
    "tests",
    "tools",
)
PROSE: Final = ("*.md", "*.html", "*.js", "*.css", "*.txt", "*.toml", "*.yml", "Makefile")
SKIPPED: Final = (
    "clients/*/src/*",  # generated
    "games/migrations/*",  # written by Django, and fixed once they are released
    "tools/language.toml",  # the list itself
    "tests/tools/test_check_language.py",  # shows what is noticed
    "LICENSE",
    "*.lock",
)
LONGEST_SUBJECT: Final = 72
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a word of the list stands."""

    path: str
    line: int
    word: str
    advice: str

    def __str__(self) -> str:
        """Return the finding as compilers print theirs."""
        return f"{self.path}:{self.line}: {self.word}: write {self.advice}"


class Vocabulary:
    """The list of words, phrases and exceptions."""

    def __init__(self, listed: Mapping[str, Any]) -> None:
        self.identifiers: dict[str, str] = listed["identifiers"]
        self.phrases = {
            re.compile(pattern, re.IGNORECASE): advice for pattern, advice in listed["phrases"].items()
        }
        self.allowed: dict[str, dict[str, str]] = listed.get("allowed", {})
        self.commits_since: str = listed["commits"]["since"]

    def allows(self, word: str, path: str) -> bool:
        """Return whether the list names this path as an exception for the word."""
        return any(fnmatch(path, pattern) for pattern in self.allowed.get(word, {}))

    def in_identifier(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the listed tokens of an identifier, each with the advice."""
        for token in _CAMEL.sub("_", name).lower().split("_"):
            if token in self.identifiers:
                yield token, self.identifiers[token]

    def in_prose(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the listed phrases of a text, each with the advice."""
        for pattern, advice in self.phrases.items():
            if pattern.search(text):
                yield pattern.pattern, advice


def read_vocabulary(path: Path = LIST) -> Vocabulary:
    """Read the list."""
    return Vocabulary(tomllib.loads(path.read_text(encoding="utf-8")))


def check_python(path: str, source: str, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield what the identifiers, docstrings, comments and other strings of a module should not say."""
    names = [(1, Path(path).stem), *_names_defined_in(ast.parse(source))]
    for line, name in names:
        for word, advice in vocabulary.in_identifier(name):
            if not vocabulary.allows(word, path):
                yield Finding(path, line, f"{name} ({word})", advice)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in {tokenize.STRING, tokenize.COMMENT}:
            yield from _check_text(path, token.string, vocabulary, token.start[0])


def check_prose(path: str, text: str, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield what a page, script or guide should not say."""
    yield from _check_text(path, text, vocabulary, 1)


def _check_text(path: str, text: str, vocabulary: Vocabulary, first_line: int) -> Iterator[Finding]:
    for offset, line in enumerate(text.splitlines()):
        for word, advice in vocabulary.in_prose(line):
            if not vocabulary.allows(word, path):
                yield Finding(path, first_line + offset, word, advice)


def _names_defined_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every name that the module gives to something, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr
            case _:
                pass


def check_subjects(subjects: Iterable[str]) -> Iterator[str]:
    """Yield the commit subjects that are too long or end with a period."""
    for subject in subjects:
        if len(subject) > LONGEST_SUBJECT or subject.endswith("."):
            yield f"commit subject {subject!r}: at most {LONGEST_SUBJECT} characters, no final period"


def recent_subjects(since: str) -> list[str]:
    """Return the subjects of the commits after this one; none where the history does not go back so far."""
    log = ["git", "log", "--no-merges", "--format=%s", f"{since}..HEAD"]
    listed = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False)
    return listed.stdout.splitlines() if listed.returncode == 0 else []


def tracked_files() -> list[str]:
    """Return the files that git tracks, without those that are not checked."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607 -- git of the PATH
    return [
        path
        for path in listed.stdout.splitlines()
        if (ROOT / path).is_file() and not any(fnmatch(path, pattern) for pattern in SKIPPED)
    ]


def findings_in(paths: Iterable[str], vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield everything found in these files."""
    for path in paths:
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        if path.endswith(".py"):
            if path.split("/", maxsplit=1)[0] in PYTHON_FOLDERS:
                yield from check_python(path, text, vocabulary)
        elif any(fnmatch(Path(path).name, pattern) for pattern in PROSE):
            yield from check_prose(path, text, vocabulary)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is found; the exit status says whether there is anything."""
    parser = argparse.ArgumentParser(description="Check the vocabulary of code and documentation.")
    parser.add_argument("paths", nargs="*", help="only files below these paths")
    options = parser.parse_args(arguments)
    paths = tracked_files()
    if options.paths:
        paths = [path for path in paths if path.startswith(tuple(options.paths))]
    vocabulary = read_vocabulary()
    found = [
        *map(str, findings_in(paths, vocabulary)),
        *check_subjects(recent_subjects(vocabulary.commits_since)),
    ]
    for each in found:
        print(each)
    print(f"{len(found)} words to replace in {len(paths)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
