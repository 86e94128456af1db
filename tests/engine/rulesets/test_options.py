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
def test_options_have_defaults(key: str, players: int) -> None:
    rules = rule_set(key)
    if players in rules.players:
        assert rules.at_table(players=players).options == {
            option.name: option.default for option in rules.options
        }


@pytest.mark.parametrize("key", THREE_PLAYER_KEYS)
def test_the_winner_of_a_bombed_trick_chooses_by_default(key: str) -> None:
    rules = rule_set(key)
    at_table = rules.at_table(players=rules.players[0], options={"bomb_capture": "winner_chooses"})
    assert at_table.bomb_capture is BombCapture.WINNER_CHOOSES


@pytest.mark.parametrize("key", THREE_PLAYER_KEYS)
def test_three_players_may_choose_tournament_capture(key: str) -> None:
    at_table = rule_set(key).at_table(players=3, options={"bomb_capture": "tournament"})
    by_text = BombCapture.LAST_ORDINARY if key == "deluxe" else BombCapture.NEXT_HIGHEST
    assert at_table.bomb_capture is by_text
    assert at_table.options["bomb_capture"] == "tournament"


@pytest.mark.parametrize("key", KEYS)
def test_two_players_may_not_choose_tournament_capture(key: str) -> None:
    assert refusal(rule_set(key), 2, bomb_capture="tournament") == ("invalid_options", "bomb_capture")


def test_three_players_may_choose_revised_bets_in_thirds() -> None:
    assert rule_set("revised").at_table(players=3).bet_split is BetSplit.FULL
    assert (
        rule_set("revised").at_table(players=3, options={"bet_split": "thirds"}).bet_split is BetSplit.THIRDS
    )


def test_two_players_may_only_choose_the_default_bet_split() -> None:
    revised = rule_set("revised")
    assert refusal(revised, 2, bet_split="thirds") == ("invalid_options", "bet_split")
    assert revised.at_table(players=2, options={"bet_split": "full"}).bet_split is BetSplit.FULL


@pytest.mark.parametrize("players", (2, 3))
def test_deluxe_counts_captured_cards_as_one_point_each_or_as_point_cards(players: int) -> None:
    deluxe = rule_set("deluxe")
    assert deluxe.at_table(players=players).card_points is CardPoints.ONE_PER_CARD
    agreed = deluxe.at_table(players=players, options={"captured": "point_cards"})
    assert agreed.card_points is CardPoints.POINT_CARDS


def test_haggish_gives_haggis_and_last_hand_to_nobody_or_to_the_first_out() -> None:
    haggish = rule_set("haggish")
    usual = haggish.at_table(players=2)
    agreed = haggish.at_table(players=2, options={"haggis_capture": "first_out"})
    assert (usual.final_hand, usual.haggis) == (FinalHand.NOBODY, Haggis.NOBODY)
    assert (agreed.final_hand, agreed.haggis) == (FinalHand.FIRST_OUT, Haggis.FIRST_OUT)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", (*ALL_OPTIONS, "jokers", ""))
def test_an_unknown_option_is_refused_even_with_a_default_value(key: str, name: str) -> None:
    rules = rule_set(key)
    if name not in {option.name for option in rules.options}:
        default = ALL_OPTIONS[name].default if name in ALL_OPTIONS else "yes"
        assert refusal(rules, rules.players[0], **{name: default}) == ("invalid_options", name)


@given(rules=st.sampled_from(RULE_SETS), value=st.text(), data=st.data())
def test_an_unknown_value_of_an_option_is_refused(rules: RuleSet, value: str, data: st.DataObject) -> None:
    option = data.draw(st.sampled_from(rules.options))
    if value not in {choice.value for choice in option.choices}:
        for players in rules.players:
            assert refusal(rules, players, **{option.name: value}) == ("invalid_options", option.name)


@pytest.mark.parametrize("option", ALL_OPTIONS.values(), ids=ALL_OPTIONS.keys())
def test_only_choices_other_than_the_default_change_terms(option: Option) -> None:
    default, *others = option.choices
    assert default.changes == ()
    for choice in others:
        assert choice.changes
        for name, value in choice.changes:
            for rules in RULE_SETS:
                if option in rules.options:
                    assert type(getattr(rules, name)) is type(value)
                    assert getattr(rules, name) != value


def test_options_change_existing_terms() -> None:
    changed = {
        name for option in ALL_OPTIONS.values() for choice in option.choices for name, _ in choice.changes
    }
    assert changed <= set(Terms.__dataclass_fields__)


def test_choices_are_in_the_order_of_the_options() -> None:
    options = rule_set("revised").options
    wanted = {"bet_split": "thirds", "bomb_capture": "tournament"}
    assert [choice.value for choice in choose(options, wanted, players=3)] == ["tournament", "thirds"]
