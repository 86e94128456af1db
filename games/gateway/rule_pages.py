"""The rules to read: the pages that the engine writes, as Markdown."""

from functools import cache
from typing import Final

from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.documents import pages
from games.errors import Problem

_OVERVIEW: Final = "README"


def rule_titles() -> list[tuple[str, str]]:
    """The key and the title of every rule set."""
    return [(rules.key, rules.title) for rules in RULE_SETS]


@cache
def rule_text(key: str) -> str:
    """The page of a rule set, or for no key the one that compares them all; 404 for any other."""
    text = pages().get(f"{key or _OVERVIEW}.md")
    if text is None or key == _OVERVIEW:
        raise Problem("not_found")
    return text
