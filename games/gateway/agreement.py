"""Rule sets, agreements and deals, as the engine needs them."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final

from engine.deals.chain import Chain, make_chain
from engine.deals.deal import Deal, deal
from engine.deals.first_seat import first_seat
from engine.deals.seeds import check_client_seed
from engine.errors import Malformed
from engine.matches.ending import Length
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.describe import describe
from engine.rulesets.documents import pages
from engine.rulesets.model import RuleSet, TableRules
from games.core.errors import Problem
from games.gateway.refusals import translate_refusals

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


def make_agreement(
    *,
    ruleset: str,
    players: int | None,
    options: Mapping[str, str],
    target_score: int | None,
    rounds: int | None,
) -> Agreement:
    """The agreement that is asked for, with the defaults filled in; refused where there is no such game."""
    with translate_refusals():
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


def describe_rule_sets() -> list[dict[str, Any]]:
    """Every rule set as clients are told of it."""
    return [describe(rules) for rules in RULE_SETS]


def rule_set_keys() -> list[str]:
    """The key of every rule set."""
    return [rules.key for rules in RULE_SETS]


def describe_rule_set(key: str, version: str | None = None) -> dict[str, Any]:
    """Return one rule set in this version, or as it is now; raise 404 where there is no such one."""
    _find_rule_set(key)
    try:
        return describe(rule_set(key, version))
    except Malformed as unknown:
        raise Problem("not_found") from unknown


def allowed_players(key: str) -> tuple[int, ...]:
    """For how many players a rule set is, or 404."""
    return _find_rule_set(key).players


def _find_rule_set(key: str) -> RuleSet:
    found = next((rules for rules in RULE_SETS if rules.key == key), None)
    if found is None:
        raise Problem("not_found")
    return found


__all__ = ["Deal", "Deals", "create_chain", "validate_client_seed"]

LINK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals of one match: its chain and the seeds its players gave. Prints neither links nor cards."""

    deal_id: str
    last_link: bytes = field(repr=False)
    seeds: tuple[str, ...]

    @property
    def chain(self) -> Chain:
        """The chain of links."""
        return make_chain(self.deal_id, self.last_link)

    def link(self, number: int) -> str:
        """The link of a round, to be published when it has ended."""
        return self.chain.link(number).hex()

    def first_seat(self) -> int:
        """The seat drawn to deal, or in some rule sets to lead, the first round."""
        return first_seat(
            deal_id=self.deal_id, link=self.chain.link(1), players=len(self.seeds), seeds=self.seeds
        )

    def dealing(self) -> Callable[[int], Deal]:
        """The deal of each round by its number."""
        chain = self.chain

        def dealt(number: int) -> Deal:
            return deal(
                deal_id=self.deal_id,
                number=number,
                link=chain.link(number),
                players=len(self.seeds),
                seeds=self.seeds,
            )

        return dealt


def create_chain(deal_id: str) -> tuple[bytes, str]:
    """A fresh last link from the system's secure source, and the anchor that is shown for it."""
    last_link = secrets.token_bytes(LINK_BYTES)
    return last_link, make_chain(deal_id, last_link).anchor.hex()


def validate_client_seed(seed: str, *, at: str = "/client_seed") -> str:
    """A client's seed exactly as received, or the reason why it is none."""
    with translate_refusals(at=at):
        return check_client_seed(seed)


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
