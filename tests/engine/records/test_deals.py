"""Deals are proven by anchor, links and seeds; without one of them they are unproven."""

import pytest

from engine.matches.ending import Length
from engine.records.reading import read_record
from engine.records.replay import replay
from engine.records.verdict import Deals, Valid
from engine.records.writing import JsonObject, write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.editing import GONE, edited, error_of, found
from tests.engine.records.recorded_matches import play_match

MATCH = write_record(play_match(rule_set("classic").at_table(players=2), Length(rounds=3)))
OF_THREE = write_record(play_match(rule_set("deluxe").at_table(players=3), Length(rounds=2)))
ZEROS = "00" * 32


def deals_of(record: JsonObject) -> Deals:
    """Return whether the deals of a valid record are proven."""
    verdict = replay(read_record(record))
    assert isinstance(verdict, Valid)
    return verdict.deals


@pytest.mark.parametrize("record", (MATCH, OF_THREE))
def test_with_anchor_links_and_seeds_the_deals_are_proven(record: JsonObject) -> None:
    assert deals_of(record) is Deals.PROVEN


@pytest.mark.parametrize("record", (MATCH, OF_THREE))
@pytest.mark.parametrize(
    "missing", ("/anchor", "/deal_id", "/client_seeds", "/rounds/0/link", "/rounds/1/link")
)
def test_deals_are_unproven_if_one_of_them_is_missing(record: JsonObject, missing: str) -> None:
    assert deals_of(edited(record, {missing: None})) is Deals.UNPROVEN
    assert deals_of(edited(record, {missing: GONE})) is Deals.UNPROVEN


def test_a_match_without_rounds_is_unproven() -> None:
    assert deals_of(edited(MATCH, {"/rounds": [], "/result": None})) is Deals.UNPROVEN


def test_hashes_may_be_upper_case() -> None:
    upper = {place: found(MATCH, place).upper() for place in ("/anchor", "/rounds/1/link")}
    assert deals_of(edited(MATCH, upper)) is Deals.PROVEN


def test_cards_may_be_in_any_order() -> None:
    turned = {
        place: found(MATCH, place)[::-1]
        for place in ("/rounds/0/hands/0", "/rounds/1/hands/1", "/rounds/2/haggis")
    }
    assert deals_of(edited(MATCH, turned)) is Deals.PROVEN


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    (
        ({"/anchor": ZEROS}, "wrong_link", "/rounds/0/link"),
        ({"/deal_id": "m_other"}, "wrong_link", "/rounds/0/link"),
        ({"/rounds/1/link": ZEROS}, "wrong_link", "/rounds/1/link"),
        ({"/rounds/0/link": None, "/rounds/1/link": ZEROS}, "wrong_link", "/rounds/1/link"),
        ({"/anchor": None, "/rounds/0/link": ZEROS}, "wrong_deal", "/rounds/0/hands/0"),
        ({"/anchor": None, "/rounds/1/link": ZEROS}, "wrong_link", "/rounds/1/link"),
        ({"/client_seeds/0": "pepper"}, "wrong_deal", "/rounds/0/hands/0"),
        ({"/client_seeds/1": " "}, "wrong_deal", "/rounds/0/hands/0"),
    ),
)
def test_inconsistent_values_are_reported(changes: dict[str, object], code: str, where: str) -> None:
    assert error_of(edited(MATCH, changes)) == (code, where)


def test_swapping_a_card_between_hand_and_haggis_is_detected() -> None:
    hand, haggis = "/rounds/1/hands/1/4", "/rounds/1/haggis/2"
    swapped = edited(MATCH, {hand: found(MATCH, haggis), haggis: found(MATCH, hand)})
    assert error_of(swapped) == ("wrong_deal", "/rounds/1/hands/1")


def test_swapping_a_card_between_two_hands_is_detected() -> None:
    first, second = "/rounds/1/hands/1/4", "/rounds/1/hands/0/2"
    swapped = edited(MATCH, {first: found(MATCH, second), second: found(MATCH, first)})
    assert error_of(swapped) == ("wrong_deal", "/rounds/1/hands/0")


def test_every_digit_of_a_link_matters() -> None:
    link = MATCH["rounds"][0]["link"]
    for at, digit in enumerate(link):
        changed = link[:at] + ("0" if digit != "0" else "1") + link[at + 1 :]
        assert error_of(edited(MATCH, {"/rounds/0/link": changed})) == ("wrong_link", "/rounds/0/link")


UNPROVEN = edited(MATCH, {"/deal_id": None})


def test_hands_and_haggis_must_be_the_deck_even_if_the_deal_is_unproven() -> None:
    twice = found(UNPROVEN, "/rounds/0/hands/0/3")
    for place in ("/rounds/0/hands/1/3", "/rounds/0/haggis/5"):
        assert error_of(edited(UNPROVEN, {place: twice})) == ("not_the_deck", place)


def test_a_card_of_an_unused_suit_is_reported() -> None:
    assert error_of(edited(UNPROVEN, {"/rounds/0/hands/0/3": "7b"})) == (
        "not_the_deck",
        "/rounds/0/hands/0/3",
    )


def test_every_hand_has_its_face_cards_and_the_haggis_has_none() -> None:
    card, lacking = found(UNPROVEN, "/rounds/0/haggis/5"), "/rounds/0/hands/1"
    assert error_of(edited(UNPROVEN, {f"{lacking}/16": card})) == ("not_the_deck", lacking)
    assert error_of(edited(UNPROVEN, {"/rounds/0/haggis/5": "K"})) == ("not_the_deck", "/rounds/0/haggis/5")
