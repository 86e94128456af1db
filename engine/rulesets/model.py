"""A rule set, and the rules in force at one table.

>>> from engine.rulesets.catalogue import rule_set
>>> rules = rule_set("revised").at_table(players=3, options={"bet_split": "thirds"})
>>> rules.options, rules.bet_amounts
({'bomb_capture': 'winner_chooses', 'bet_split': 'thirds'}, (15, 30))
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from engine.errors import Malformed
from engine.rulesets.options import Choice, Option, choose
from engine.rulesets.terms import THREE, Terms

NOTHING_AGREED: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Ruling:
    """What this project reads into a text where it is silent, damaged, or open to two readings."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules(Terms):
    """The rules in force at one table: a rule set's terms after its options, for this many players."""

    key: str
    version: str
    players: int
    chosen: tuple[tuple[str, str], ...]

    @property
    def options(self) -> dict[str, str]:
        """Every option of the rule set with its value, defaults included."""
        return dict(self.chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Terms):
    """One published text of the rules as one value: its terms, its options, and how its gaps were filled.

    `version` is pinned to a match: a reading that changes gets a new version, and old matches keep theirs.
    """

    key: str
    title: str
    summary: str
    version: str
    players: tuple[int, ...]
    suggested_targets: tuple[int, ...]
    suggests_targets_between: bool = False
    suggested_rounds: tuple[tuple[int, tuple[int, ...]], ...] = ()
    options: tuple[Option, ...]
    rulings: tuple[Ruling, ...] = field(repr=False)

    def at_table(self, *, players: int, options: Mapping[str, str] = NOTHING_AGREED) -> TableRules:
        """The rules for so many players with these options; `Malformed` where there is no such game."""
        if players not in self.players:
            detail = f"{self.title} is for {' or '.join(map(str, self.players))} players."
            raise Malformed("invalid_players", detail, where="players")
        choices = choose(self.options, options, players=players)
        return TableRules(
            key=self.key,
            version=self.version,
            players=players,
            chosen=tuple(
                (option.name, choice.value) for option, choice in zip(self.options, choices, strict=True)
            ),
            **self._terms(choices, players=players),
        )

    def _terms(self, choices: tuple[Choice, ...], *, players: int) -> dict[str, Any]:
        """The terms after what the choices change. The bonus for the first out is for tables of three."""
        terms = {each.name: getattr(self, each.name) for each in fields(Terms)}
        terms.update(change for choice in choices for change in choice.changes)
        if players < THREE:
            terms["first_out_bonus"] = 0
        return terms
