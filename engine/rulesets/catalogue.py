"""Look up rule sets by key and version.

>>> rule_set("haggish").players
(2,)
"""

from typing import Final

from engine.errors import Malformed
from engine.rulesets.booklet import BOOKLET, BOOKLET_1
from engine.rulesets.classic import CLASSIC, CLASSIC_1
from engine.rulesets.deluxe import DELUXE, DELUXE_1
from engine.rulesets.haggish import HAGGISH, HAGGISH_1
from engine.rulesets.model import RuleSet
from engine.rulesets.revised import REVISED, REVISED_1

RULE_SETS: Final[tuple[RuleSet, ...]] = (CLASSIC, REVISED, BOOKLET, HAGGISH, DELUXE)

EARLIER_VERSIONS: Final[tuple[RuleSet, ...]] = (CLASSIC_1, REVISED_1, BOOKLET_1, HAGGISH_1, DELUXE_1)
"""Superseded readings of the texts: matches that started with one are always played and verified by it."""

_CURRENT: Final = {each.key: each for each in RULE_SETS}
_ALL_VERSIONS: Final = {(each.key, each.version): each for each in EARLIER_VERSIONS + RULE_SETS}


def rule_set(key: str, version: str | None = None) -> RuleSet:
    """Return the rule set with this key, in its current version or the version a match started with."""
    found = _CURRENT.get(key) if version is None else _ALL_VERSIONS.get((key, version))
    if found is None:
        requested = key if version is None else f"{key}, version {version}"
        raise Malformed("unknown_ruleset", "There is no rule set {key}.", where="ruleset", key=requested)
    return found
