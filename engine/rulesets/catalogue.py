"""Every rule set there is, by key and version.

>>> rule_set("haggish").players
(2,)
"""

from typing import Final

from engine.errors import Malformed
from engine.rulesets.booklet import BOOKLET
from engine.rulesets.classic import CLASSIC
from engine.rulesets.deluxe import DELUXE
from engine.rulesets.haggish import HAGGISH
from engine.rulesets.model import RuleSet
from engine.rulesets.revised import REVISED

RULE_SETS: Final[tuple[RuleSet, ...]] = (CLASSIC, REVISED, BOOKLET, HAGGISH, DELUXE)

EARLIER_VERSIONS: Final[tuple[RuleSet, ...]] = ()
"""Readings since corrected: matches that began under one are played and replayed to its end."""

_NOW: Final = {each.key: each for each in RULE_SETS}
_EVER: Final = {(each.key, each.version): each for each in EARLIER_VERSIONS + RULE_SETS}


def rule_set(key: str, version: str | None = None) -> RuleSet:
    """The rule set of that key: as it is now, or in the version that a match began with."""
    found = _NOW.get(key) if version is None else _EVER.get((key, version))
    if found is None:
        asked = key if version is None else f"{key}, version {version}"
        raise Malformed("unknown_ruleset", f"There is no rule set {asked}.", where="ruleset")
    return found
