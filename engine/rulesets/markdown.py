"""Format the small subset of Markdown that the rule pages use."""

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 110


def heading(text: str, level: int = 2) -> str:
    """Return a heading."""
    return f"{'#' * level} {text}"


def paragraph(*sentences: str) -> str:
    """Return sentences as one wrapped paragraph."""
    return _wrapped(" ".join(sentences))


def bullets(items: Iterable[str]) -> str:
    """Return a bullet list.

    >>> print(bullets(["one", "two"]))
    - one
    - two
    """
    return "\n".join(_wrapped(item, first="- ", rest="  ") for item in items)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    >>> print(table(["bet", "points"], [["15", "30"]]))
    | bet | points |
    | --- | --- |
    | 15 | 30 |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(blocks: Iterable[str]) -> str:
    """Return blocks as a page, separated by blank lines."""
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
