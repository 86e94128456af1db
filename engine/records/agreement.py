"""Resolve what was agreed before the first deal: an existing rule set with its options, and a length."""

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.records.fields import below
from engine.records.record import Record
from engine.records.verdict import Mistake
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import RuleSet, TableRules


def rules_of(record: Record) -> TableRules:
    """Return the rules in force at the table."""
    try:
        return _rule_set(record).at_table(players=record.players, options=dict(record.options))
    except Malformed as no_such_table:
        where = "/players" if no_such_table.where == "players" else below("/options", no_such_table.where)
        raise Mistake(where, no_such_table.code, no_such_table.detail) from None


def length_of(record: Record) -> Length:
    """Return the agreed length of the match."""
    try:
        return Length(target=record.target_score, rounds=record.rounds_limit)
    except Malformed as no_length:
        where = "/rounds_limit" if no_length.where == "rounds" else "/target_score"
        raise Mistake(where, no_length.code, no_length.detail) from None


def _rule_set(record: Record) -> RuleSet:
    """Return the rule set in the recorded version, or in its current version if none is recorded."""
    try:
        now = rule_set(record.ruleset)
    except Malformed as unknown:
        raise Mistake("/ruleset", unknown.code, unknown.detail) from None
    try:
        return rule_set(now.key, record.ruleset_version)
    except Malformed as unknown:
        raise Mistake("/ruleset_version", "unknown_version", unknown.detail) from None
