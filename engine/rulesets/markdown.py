"""The little Markdown that the rule pages are written in."""

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 110


def heading(text: str, level: int = 2) -> str:
    """A heading, with two hash signs unless told otherwise."""
    return f"{'#' * level} {text}"


def paragraph(*sentences: str) -> str:
    """Sentences as one paragraph, wrapped as text files are."""
    return _wrapped(" ".join(sentences))


def bullets(items: Iterable[str]) -> str:
    """A list.

    >>> print(bullets(["one", "two"]))
    - one
    - two
    """
    return "\n".join(_wrapped(item, first="- ", rest="  ") for item in items)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table.

    >>> print(table(["bet", "points"], [["15", "30"]]))
    | bet | points |
    | --- | --- |
    | 15 | 30 |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(blocks: Iterable[str]) -> str:
    """Blocks with an empty line between them, as a file."""
    return "\n\n".join(blocks) + "\n"


def _wrapped(text: str, first: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text,
        width=WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
