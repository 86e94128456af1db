import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.model import RuleSet
from engine.rulesets.options import Option, choose
from engine.rulesets.terms import BetSplit, BombCapture, CardPoints, FinalHand, Haggis, Terms

ALL_OPTIONS = {option.name: option for rules in RULE_SETS for option in rules.options}
KEYS = [rules.key for rules in RULE_SETS]
THREE_PLAYER_KEYS = [rules.key for rules in RULE_SETS if 3 in rules.players]


def refusal(rules: RuleSet, players: int, **options: str) -> tuple[str, str]:
    with pytest.raises(Malformed) as refused:
        rules.at_table(players=players, options=options)
    return refused.value.code, refused.value.where


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("players", (2, 3))
def test_without_any_wish_every_option_is_at_its_default(key: str, players: int) -> None:
    rules = rule_set(key)
    if players in rules.players:
        assert rules.at_table(players=players).options == {
            option.name: option.default for option in rules.options
        }


@pytest.mark.parametrize("key", THREE_PLAYER_KEYS)
def test_the_winner_of_a_bombed_trick_chooses_unless_agreed_otherwise(key: str) -> None:
    rules = rule_set(key)
    at_table = rules.at_table(players=rules.players[0], options={"bomb_capture": "winner_chooses"})
    assert at_table.bomb_capture is BombCapture.WINNER_CHOOSES


@pytest.mark.parametrize("key", THREE_PLAYER_KEYS)
def test_three_players_may_agree_on_tournament_capture(key: str) -> None:
    at_table = rule_set(key).at_table(players=3, options={"bomb_capture": "tournament"})
    by_text = BombCapture.LAST_ORDINARY if key == "deluxe" else BombCapture.NEXT_HIGHEST
    assert at_table.bomb_capture is by_text
    assert at_table.options["bomb_capture"] == "tournament"


@pytest.mark.parametrize("key", KEYS)
def test_two_players_may_not(key: str) -> None:
    assert refusal(rule_set(key), 2, bomb_capture="tournament") == ("invalid_options", "bomb_capture")


def test_three_players_may_agree_on_revised_bets_in_thirds() -> None:
    assert rule_set("revised").at_table(players=3).bet_split is BetSplit.FULL
    assert (
        rule_set("revised").at_table(players=3, options={"bet_split": "thirds"}).bet_split is BetSplit.THIRDS
    )


def test_two_players_have_no_thirds_but_may_say_so() -> None:
    revised = rule_set("revised")
    assert refusal(revised, 2, bet_split="thirds") == ("invalid_options", "bet_split")
    assert revised.at_table(players=2, options={"bet_split": "full"}).bet_split is BetSplit.FULL


@pytest.mark.parametrize("players", (2, 3))
def test_deluxe_cards_count_one_each_or_as_point_cards(players: int) -> None:
    deluxe = rule_set("deluxe")
    assert deluxe.at_table(players=players).card_points is CardPoints.ONE_PER_CARD
    agreed = deluxe.at_table(players=players, options={"captured": "point_cards"})
    assert agreed.card_points is CardPoints.POINT_CARDS


def test_haggish_gives_haggis_and_hand_to_nobody_or_both_to_the_first_out() -> None:
    haggish = rule_set("haggish")
    usual = haggish.at_table(players=2)
    agreed = haggish.at_table(players=2, options={"haggis_capture": "first_out"})
    assert (usual.final_hand, usual.haggis) == (FinalHand.NOBODY, Haggis.NOBODY)
    assert (agreed.final_hand, agreed.haggis) == (FinalHand.FIRST_OUT, Haggis.FIRST_OUT)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", (*ALL_OPTIONS, "jokers", ""))
def test_an_option_that_a_rule_set_does_not_have_is_refused_even_at_its_default(key: str, name: str) -> None:
    rules = rule_set(key)
    if name not in {option.name for option in rules.options}:
        default = ALL_OPTIONS[name].default if name in ALL_OPTIONS else "yes"
        assert refusal(rules, rules.players[0], **{name: default}) == ("invalid_options", name)


@given(rules=st.sampled_from(RULE_SETS), value=st.text(), data=st.data())
def test_a_value_that_an_option_does_not_have_is_refused(
    rules: RuleSet, value: str, data: st.DataObject
) -> None:
    option = data.draw(st.sampled_from(rules.options))
    if value not in {choice.value for choice in option.choices}:
        for players in rules.players:
            assert refusal(rules, players, **{option.name: value}) == ("invalid_options", option.name)


@pytest.mark.parametrize("option", ALL_OPTIONS.values(), ids=ALL_OPTIONS.keys())
def test_the_default_changes_nothing_and_each_other_choice_changes_terms_that_exist(option: Option) -> None:
    default, *others = option.choices
    assert default.changes == ()
    for choice in others:
        assert choice.changes
        for name, value in choice.changes:
            for rules in RULE_SETS:
                if option in rules.options:
                    assert type(getattr(rules, name)) is type(value)
                    assert getattr(rules, name) != value


def test_terms_that_options_change_are_terms() -> None:
    changed = {
        name for option in ALL_OPTIONS.values() for choice in option.choices for name, _ in choice.changes
    }
    assert changed <= set(Terms.__dataclass_fields__)


def test_choices_come_in_the_order_of_the_options() -> None:
    options = rule_set("revised").options
    wanted = {"bet_split": "thirds", "bomb_capture": "tournament"}
    assert [choice.value for choice in choose(options, wanted, players=3)] == ["tournament", "thirds"]
