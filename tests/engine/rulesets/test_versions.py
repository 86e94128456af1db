"""Earlier versions of the rule sets never change when a later version is added."""

from dataclasses import fields
from typing import Any

import pytest

from engine.errors import Malformed
from engine.rulesets.catalogue import EARLIER_VERSIONS, RULE_SETS, rule_set
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import BetsClose, BombCapture, FaceCards, Terms

# Each term of version 1 that a later version has changed, with its value in version 1.
CHANGED_SINCE_1: dict[str, dict[str, Any]] = {
    "classic": {"bets_close": BetsClose.ALL_BUT_ONE_OUT},
    "revised": {"bets_close": BetsClose.ALL_BUT_ONE_OUT},
    "booklet": {"face_cards": FaceCards.WILD_OR_OWN_RANK},
    "haggish": {"bets_close": BetsClose.ALL_BUT_ONE_OUT},
    "deluxe": {"bets_close": BetsClose.ALL_BUT_ONE_OUT},
}


@pytest.mark.parametrize("key", CHANGED_SINCE_1)
def test_versions_1_and_2_differ_only_in_these_terms(key: str) -> None:
    one, two = rule_set(key, "1"), rule_set(key, "2")
    changed = {
        field.name: getattr(one, field.name)
        for field in fields(Terms)
        if getattr(one, field.name) != getattr(two, field.name)
    }
    assert changed == CHANGED_SINCE_1[key]


def test_version_1_of_haggish_had_the_three_player_option_at_its_default() -> None:
    rules = rule_set("haggish", "1").at_table(players=2, options={"bomb_capture": "winner_chooses"})
    assert rules.options == {"bomb_capture": "winner_chooses", "haggis_capture": "nobody"}
    with pytest.raises(Malformed) as refused:
        rule_set("haggish").at_table(players=2, options={"bomb_capture": "winner_chooses"})
    assert refused.value.code == "invalid_options"


@pytest.mark.parametrize(
    ("version", "capture"), (("1", BombCapture.NEXT_HIGHEST), ("2", BombCapture.LAST_ORDINARY))
)
def test_the_tournament_option_of_deluxe_depends_on_the_version(version: str, capture: BombCapture) -> None:
    rules = rule_set("deluxe", version).at_table(players=3, options={"bomb_capture": "tournament"})
    assert rules.bomb_capture is capture
    assert rules.version == version


def test_every_rule_set_has_all_its_versions() -> None:
    for rules in RULE_SETS:
        for number in range(1, int(rules.version) + 1):
            assert rule_set(rules.key, str(number)).version == str(number)


@pytest.mark.parametrize("rules", EARLIER_VERSIONS, ids=lambda rules: f"{rules.key}/{rules.version}")
def test_an_earlier_version_is_only_found_by_its_number(rules: RuleSet) -> None:
    assert rule_set(rules.key) is not rules
    assert rule_set(rules.key, rules.version) is rules
