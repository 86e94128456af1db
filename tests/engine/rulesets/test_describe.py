import json

import pytest

from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.describe import describe
from engine.rulesets.model import RuleSet

EVERY = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)


@EVERY
def test_a_description_is_plain_serializable_data(rules: RuleSet) -> None:
    described = describe(rules)
    assert json.loads(json.dumps(described)) == described


@EVERY
def test_a_description_has_what_a_client_needs(rules: RuleSet) -> None:
    described = describe(rules)
    assert described["key"] == rules.key
    assert described["version"] == rules.version
    assert described["players"] == list(rules.players)
    assert described["bets"] == list(rules.bet_amounts)
    assert described["rulings"] == [{"key": ruling.key, "text": ruling.text} for ruling in rules.rulings]


def test_options_come_with_their_defaults_meanings_and_players() -> None:
    options = describe(rule_set("revised"))["options"]
    assert isinstance(options, dict)
    assert list(options) == ["bomb_capture", "bet_split"]
    assert options["bet_split"]["default"] == "full"
    assert options["bet_split"]["players"] == [3]
    assert list(options["bet_split"]["choices"]) == ["full", "thirds"]
    assert all(options["bet_split"]["choices"].values())


@EVERY
def test_every_described_option_can_be_chosen_where_it_applies(rules: RuleSet) -> None:
    options = describe(rules)["options"]
    assert isinstance(options, dict)
    for name, option in options.items():
        for players in set(option["players"]) & set(rules.players):
            for value in option["choices"]:
                assert rules.at_table(players=players, options={name: value}).options[name] == value


def test_scoring_is_described_in_numbers_and_words() -> None:
    scoring = describe(rule_set("classic"))["scoring"]
    assert isinstance(scoring, dict)
    assert scoring["card_points"] == {"3": 1, "5": 1, "7": 1, "9": 1, "J": 2, "Q": 3, "K": 5}
    assert scoring["points_per_card_left"] == 5
    assert scoring["first_out_bonus"] == 5
    assert len(scoring["text"]) == 7
    booklet = describe(rule_set("booklet"))["scoring"]
    assert isinstance(booklet, dict)
    assert (booklet["bet_succeeds"], booklet["final_hand"], booklet["haggis"]) == (
        "scores_the_bet",
        "nobody",
        "last_to_play",
    )


def test_lengths_are_suggested_for_each_number_of_players() -> None:
    assert describe(rule_set("deluxe"))["length"] == {
        "default_target": 250,
        "suggested_targets": [250, 350],
        "suggested_rounds": {"2": [6, 8], "3": [6, 9]},
        "text": [
            "The text suggests 250 or 350 points.",
            "With 2 players it also suggests 6 or 8 rounds.",
            "With 3 players it also suggests 6 or 9 rounds.",
        ],
    }
