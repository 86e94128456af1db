"""Rule sets, match agreements and deals."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from engine.deals.chain import Chain, make_chain
from engine.deals.deal import Deal, deal
from engine.deals.first_seat import first_seat
from engine.deals.seeds import check_client_seed
from engine.errors import Malformed
from engine.matches.ending import Length
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.describe import RuleSetJson, describe
from engine.rulesets.documents import pages
from engine.rulesets.model import RuleSet, TableRules
from engine.rulesets.terms import BetSplit, BetSucceeds
from games.core.errors import Problem
from games.gateway.refusals import translate_refusals

__all__ = ["Agreement", "Deal", "Deals", "create_chain", "make_agreement", "validate_client_seed"]

# The engine version that new matches are pinned to. It changes when the replay of a log changes.
ENGINE_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Rule set, version, options, number of players and length of a match, fixed at its creation."""

    ruleset: str
    ruleset_version: str
    options: tuple[tuple[str, str], ...]
    players: int
    target_score: int | None
    rounds_limit: int | None

    @property
    def rules(self) -> TableRules:
        """The rules with the options and number of players applied."""
        return _rules(self.ruleset, self.ruleset_version, self.options, self.players)

    @property
    def length(self) -> Length:
        """The length of the match: a target score or a number of rounds."""
        return Length(target=self.target_score, rounds=self.rounds_limit)


def make_agreement(
    *,
    ruleset: str,
    players: int | None,
    options: Mapping[str, str],
    target_score: int | None,
    rounds: int | None,
) -> Agreement:
    """Return the requested agreement with defaults filled in; raise `Problem` if it is not valid."""
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


def bet_succeeded(agreement: Agreement, *, seat: int, amount: int, first_out: int, points: int) -> bool:
    """Return whether the bet of a seat succeeded; `points` is what the seat scored in the round without bets.

    With `bet_split=thirds` a bet is won by going out first.
    """
    rules = agreement.rules
    if rules.bet_split is BetSplit.FULL and rules.bet_succeeds is BetSucceeds.SCORES_THE_BET:
        return points >= amount
    return seat == first_out


def options_today(ruleset: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of an earlier match without those that the rule set no longer has."""
    names = {option.name for option in rule_set(ruleset).options}
    return {name: value for name, value in options.items() if name in names}


@lru_cache(maxsize=512)
def _rules(key: str, version: str, options: tuple[tuple[str, str], ...], players: int) -> TableRules:
    return rule_set(key, version).at_table(players=players, options=dict(options))


def describe_rule_sets() -> list[RuleSetJson]:
    """Return the description of every rule set."""
    return [describe(rules) for rules in RULE_SETS]


def rule_set_keys() -> list[str]:
    """Return the key of every rule set."""
    return [rules.key for rules in RULE_SETS]


def describe_rule_set(key: str, version: str | None = None) -> RuleSetJson:
    """Return the description of a rule set in this or its current version; raise 404 if unknown."""
    _find_rule_set(key)
    try:
        return describe(rule_set(key, version))
    except Malformed as error:
        raise Problem("not_found") from error


def allowed_players(key: str) -> tuple[int, ...]:
    """Return the numbers of players that a rule set supports; raise 404 if it is unknown."""
    return _find_rule_set(key).players


def _find_rule_set(key: str) -> RuleSet:
    found = next((rules for rules in RULE_SETS if rules.key == key), None)
    if found is None:
        raise Problem("not_found")
    return found


LINK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals of one match, from its seed chain and client seeds. Its repr shows no links and no cards."""

    deal_id: str
    last_link: bytes = field(repr=False)
    seeds: tuple[str, ...]

    @property
    def chain(self) -> Chain:
        """The seed chain."""
        return make_chain(self.deal_id, self.last_link)

    def link(self, number: int) -> str:
        """Return the link of a round, which is published when the round has ended."""
        return self.chain.link(number).hex()

    def first_seat(self) -> int:
        """Return the seat drawn to deal the first round; in some rule sets, to lead it."""
        return first_seat(
            deal_id=self.deal_id, link=self.chain.link(1), players=len(self.seeds), seeds=self.seeds
        )

    def deal_function(self) -> Callable[[int], Deal]:
        """Return a function that returns the deal of a round by number."""
        chain = self.chain

        def deal_round(number: int) -> Deal:
            return deal(
                deal_id=self.deal_id,
                number=number,
                link=chain.link(number),
                players=len(self.seeds),
                seeds=self.seeds,
            )

        return deal_round


def create_chain(deal_id: str) -> tuple[bytes, str]:
    """Return a new last link from a cryptographic random source, and the public anchor of its chain."""
    last_link = secrets.token_bytes(LINK_BYTES)
    return last_link, make_chain(deal_id, last_link).anchor.hex()


def validate_client_seed(seed: str, *, at: str = "/client_seed") -> str:
    """Return a client seed unchanged; raise `Problem`, pointing to the field, if it is invalid."""
    with translate_refusals(at=at):
        return check_client_seed(seed)


_OVERVIEW: Final = "README"


def rule_titles() -> list[tuple[str, str]]:
    """Return the key and title of every rule set."""
    return [(rules.key, rules.title) for rules in RULE_SETS]


@cache
def rule_text(key: str) -> str:
    """Return the page of a rule set, or without a key their comparison; raise 404 if it does not exist."""
    text = pages().get(f"{key or _OVERVIEW}.md")
    if text is None or key == _OVERVIEW:
        raise Problem("not_found")
    return text
