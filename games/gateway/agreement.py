"""What a match was agreed to be played by, as the engine needs to know it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.describe import describe
from engine.rulesets.model import RuleSet, TableRules
from games.errors import Problem
from games.gateway.refusals import refusals

# The version of the engine that new matches are pinned to: it counts what changes how a log is folded.
ENGINE_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Rule set, version, options, number of players and length of a match: fixed when it is made."""

    ruleset: str
    ruleset_version: str
    options: tuple[tuple[str, str], ...]
    players: int
    target_score: int | None
    rounds_limit: int | None

    @property
    def rules(self) -> TableRules:
        """The rules in force at the table."""
        return _rules(self.ruleset, self.ruleset_version, self.options, self.players)

    @property
    def length(self) -> Length:
        """How long the match is."""
        return Length(target=self.target_score, rounds=self.rounds_limit)


def agree(
    *,
    ruleset: str,
    players: int | None,
    options: Mapping[str, str],
    target_score: int | None,
    rounds: int | None,
) -> Agreement:
    """The agreement that is asked for, with the defaults filled in; refused where there is no such game."""
    with refusals():
        rules = rule_set(ruleset)
        table = rules.at_table(players=min(rules.players) if players is None else players, options=options)
        length = Length.agreed(target=target_score, rounds=rounds)
    return Agreement(
        ruleset=rules.key,
        ruleset_version=rules.version,
        options=tuple(table.options.items()),
        players=table.players,
        target_score=length.target,
        rounds_limit=length.rounds,
    )


def options_today(ruleset: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return those of the options of an earlier match that the rule set still has."""
    names = {option.name for option in rule_set(ruleset).options}
    return {name: value for name, value in options.items() if name in names}


@lru_cache(maxsize=512)
def _rules(key: str, version: str, options: tuple[tuple[str, str], ...], players: int) -> TableRules:
    return rule_set(key, version).at_table(players=players, options=dict(options))


def rule_set_forms() -> list[dict[str, Any]]:
    """Every rule set as clients are told of it."""
    return [describe(rules) for rules in RULE_SETS]


def rule_set_keys() -> list[str]:
    """The key of every rule set."""
    return [rules.key for rules in RULE_SETS]


def rule_set_form(key: str, version: str | None = None) -> dict[str, Any]:
    """Return one rule set in this version, or as it is now; raise 404 where there is no such one."""
    _known(key)
    try:
        return describe(rule_set(key, version))
    except Malformed as unknown:
        raise Problem("not_found") from unknown


def players_of(key: str) -> tuple[int, ...]:
    """For how many players a rule set is, or 404."""
    return _known(key).players


def _known(key: str) -> RuleSet:
    found = next((rules for rules in RULE_SETS if rules.key == key), None)
    if found is None:
        raise Problem("not_found")
    return found
