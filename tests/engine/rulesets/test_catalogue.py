import pytest

from engine.errors import Malformed
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.model import RuleSet


def test_there_are_five_rule_sets() -> None:
    assert [rules.key for rules in RULE_SETS] == ["classic", "revised", "booklet", "haggish", "deluxe"]


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_a_rule_set_is_found_by_key_and_version(rules: RuleSet) -> None:
    assert rule_set(rules.key) is rules
    assert rule_set(rules.key, rules.version) is rules


@pytest.mark.parametrize(
    ("key", "version"), (("neeps", None), ("Classic", None), ("classic", "0"), ("tatties", "1"))
)
def test_an_unknown_rule_set_is_malformed(key: str, version: str | None) -> None:
    with pytest.raises(Malformed) as refused:
        rule_set(key, version)
    assert (refused.value.code, refused.value.where) == ("unknown_ruleset", "ruleset")
