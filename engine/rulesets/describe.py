"""Describe a rule set as plain data: everything a client needs to offer and explain it."""

from typing import TypedDict

from engine.rulesets import wording
from engine.rulesets.model import RuleSet
from engine.rulesets.options import Option
from engine.rulesets.terms import DEFAULT_TARGET, POINTS_PER_CARD_LEFT


class CombinationRulesJson(TypedDict):
    """The rules for combinations."""

    face_cards: str
    text: list[str]


class ScoringJson(TypedDict):
    """The rules for scoring."""

    points_per_card_left: int
    first_out_bonus: int
    card_points: dict[str, int]
    final_hand: str
    haggis: str
    bet_succeeds: str
    bets_close: str
    bet_split: str
    text: list[str]


class DealingJson(TypedDict):
    """The rules for dealing and leading."""

    has_dealer: bool
    lead_tie: str
    text: list[str]


class LengthJson(TypedDict):
    """The default and suggested lengths of a match."""

    default_target: int
    suggested_targets: list[int]
    suggested_rounds: dict[str, list[int]]
    text: list[str]


class OptionJson(TypedDict):
    """An option of a rule set, with its values."""

    default: str
    meaning: str
    players: list[int]
    choices: dict[str, str]


class RulingJson(TypedDict):
    """A decision where the published rules leave a choice."""

    key: str
    text: str


class RuleSetJson(TypedDict):
    """Everything that a client needs to offer and explain a rule set."""

    key: str
    title: str
    summary: str
    version: str
    players: list[int]
    bets: list[int]
    combinations: CombinationRulesJson
    scoring: ScoringJson
    dealing: DealingJson
    length: LengthJson
    options: dict[str, OptionJson]
    rulings: list[RulingJson]


def describe(rules: RuleSet) -> RuleSetJson:
    """Return numbers, strings, lists and mappings only; every term has a value and a text.

    >>> from engine.rulesets.catalogue import rule_set
    >>> described = describe(rule_set("booklet"))
    >>> described["title"], described["players"], described["bets"]
    ('Booklet', [2, 3], [5, 15, 30])
    """
    return {
        "key": rules.key,
        "title": rules.title,
        "summary": rules.summary,
        "version": rules.version,
        "players": list(rules.players),
        "bets": list(rules.bet_amounts),
        "combinations": {
            "face_cards": rules.face_cards.value,
            "text": [wording.FACE_CARDS[rules.face_cards]],
        },
        "scoring": _scoring(rules),
        "dealing": {
            "has_dealer": rules.has_dealer,
            "lead_tie": rules.lead_tie.value,
            "text": list(wording.dealing(rules)),
        },
        "length": {
            "default_target": DEFAULT_TARGET,
            "suggested_targets": list(rules.suggested_targets),
            "suggested_rounds": {str(players): list(rounds) for players, rounds in rules.suggested_rounds},
            "text": list(wording.length(rules)),
        },
        "options": {option.name: _option(option) for option in rules.options},
        "rulings": [{"key": ruling.key, "text": ruling.text} for ruling in rules.rulings],
    }


def _scoring(rules: RuleSet) -> ScoringJson:
    return {
        "points_per_card_left": POINTS_PER_CARD_LEFT,
        "first_out_bonus": rules.first_out_bonus,
        "card_points": wording.points_by_code(rules.card_points),
        "final_hand": rules.final_hand.value,
        "haggis": rules.haggis.value,
        "bet_succeeds": rules.bet_succeeds.value,
        "bets_close": rules.bets_close.value,
        "bet_split": rules.bet_split.value,
        "text": list(wording.scoring(rules, rules.players)),
    }


def _option(option: Option) -> OptionJson:
    return {
        "default": option.default,
        "meaning": option.meaning,
        "players": list(option.players),
        "choices": {choice.value: choice.meaning for choice in option.choices},
    }
