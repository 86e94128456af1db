from engine.cards.hand import mask_of, parse_cards
from engine.combinations.kinds import Combination, Kind, number_of
from engine.combinations.plays import play_of
from engine.combinations.rules import FOUR_SUITS
from engine.plays.grouped import grouped
from engine.plays.leading import leads
from engine.rounds.state import Entry
from engine.views.serialization import (
    serialize_cards,
    serialize_combination,
    serialize_entry,
    serialize_group,
    serialize_play,
    serialize_readings,
)

PAIR_OF_SEVENS = play_of(number_of(Kind.SET, 7, 2, 1), mask_of(parse_cards("7r Q")))


def test_a_play_has_cards_combination_and_wild_cards() -> None:
    assert serialize_play(PAIR_OF_SEVENS) == {
        "cards": ["7r", "Q"],
        "combination": {"kind": "set", "top": 7, "width": 2, "length": 1, "text": "pair of sevens"},
        "wilds": {"Q": "7"},
    }


def test_a_bomb_has_its_level_as_top() -> None:
    form = serialize_combination(Combination(Kind.BOMB, 3, 0, 0))
    assert form == {"kind": "bomb", "top": 3, "width": 0, "length": 0, "text": "bomb J-K"}


def test_a_play_and_a_pass_have_the_same_fields() -> None:
    played, passed = serialize_entry(Entry(0, PAIR_OF_SEVENS)), serialize_entry(Entry(1, 0))
    assert (played["type"], passed["type"]) == ("play", "pass")
    assert played.keys() == passed.keys()
    assert passed["cards"] is None


def test_a_reading_has_whether_it_is_playable_and_the_clause() -> None:
    cards = mask_of(parse_cards("9r Tr J"))
    on = play_of(number_of(Kind.RUN, 10, 1, 3), mask_of(parse_cards("8g 9g Tg")))
    assert [
        (each["combination"]["top"], each["playable"], each["rule"])
        for each in serialize_readings(cards, on, FOUR_SUITS)
    ] == [
        (10, False, "beat.higher_top"),
        (11, True, "beat.higher_top"),
    ]
    assert [each["rule"] for each in serialize_readings(cards, 0, FOUR_SUITS)] == [
        "lead.anything",
        "lead.anything",
    ]


def test_a_wild_card_in_a_run_stands_for_a_rank_and_suit() -> None:
    assert serialize_readings(mask_of(parse_cards("8g J Tg")), 0, FOUR_SUITS)[0]["wilds"] == {"J": "9g"}


def test_plays_are_grouped_with_the_cheapest_one() -> None:
    groups = [serialize_group(group) for group in grouped(leads(mask_of(parse_cards("7r 7g J")), FOUR_SUITS))]
    pair = next(each for each in groups if each["combination"]["text"] == "pair of sevens")
    assert (pair["count"], pair["cheapest"]) == (3, ["7r", "7g"])
    wilds = [sum(code in "JQK" for code in each["cheapest"]) for each in groups]
    assert wilds == sorted(wilds)


def test_cards_are_written_in_deck_order() -> None:
    assert serialize_cards(mask_of(parse_cards("K 2o Tr J 3r"))) == ["3r", "Tr", "2o", "J", "K"]
