"""Define a rule set, and the rules in force at one table.

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

NO_OPTIONS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Ruling:
    """How this project interprets a text that is silent, damaged or ambiguous."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules(Terms):
    """The rules in force at one table: a rule set's terms as changed by its options and number of players."""

    key: str
    version: str
    players: int
    chosen: tuple[tuple[str, str], ...]

    @property
    def options(self) -> dict[str, str]:
        """The value of every option of the rule set, including defaults."""
        return dict(self.chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Terms):
    """One published text of the rules: its terms, its options, and how its gaps were filled.

    A match keeps its `version`: a changed reading gets a new version, and existing matches stay on the old
    one.
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

    def at_table(self, *, players: int, options: Mapping[str, str] = NO_OPTIONS) -> TableRules:
        """Return the rules for this number of players and these options; raise `Malformed` if invalid."""
        if players not in self.players:
            raise Malformed(
                "invalid_players",
                "{title} is only for these numbers of players: {players}.",
                where="players",
                title=self.title,
                players=", ".join(map(str, self.players)),
            )
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
        """Return the terms as changed by the choices; the first-out bonus applies to three players only."""
        terms = {each.name: getattr(self, each.name) for each in fields(Terms)}
        terms.update(change for choice in choices for change in choice.changes)
        if players < THREE:
            terms["first_out_bonus"] = 0
        return terms
