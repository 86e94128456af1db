"""Resolve what was agreed before the first deal: an existing rule set with its options, and a length."""

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.records.fields import child_pointer
from engine.records.record import Record
from engine.records.verdict import Mistake
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import RuleSet, TableRules


def rules_of(record: Record) -> TableRules:
    """Return the rules in force at the table."""
    try:
        return _rule_set(record).at_table(players=record.players, options=dict(record.options))
    except Malformed as error:
        where = "/players" if error.where == "players" else child_pointer("/options", error.where)
        raise Mistake(where, error.code, error.detail) from None


def length_of(record: Record) -> Length:
    """Return the agreed length of the match."""
    try:
        return Length(target=record.target_score, rounds=record.rounds_limit)
    except Malformed as error:
        where = "/rounds_limit" if error.where == "rounds" else "/target_score"
        raise Mistake(where, error.code, error.detail) from None


def _rule_set(record: Record) -> RuleSet:
    """Return the rule set in the recorded version, or in its current version if none is recorded."""
    try:
        now = rule_set(record.ruleset)
    except Malformed as error:
        raise Mistake("/ruleset", error.code, error.detail) from None
    try:
        return rule_set(now.key, record.ruleset_version)
    except Malformed as error:
        raise Mistake("/ruleset_version", "unknown_version", error.detail) from None
