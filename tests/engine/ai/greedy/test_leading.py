from engine.ai.greedy.leading import choose_lead
from engine.cards.hand import cards_of, mask_of, parse_cards
from engine.combinations.plays import cards_in
from engine.combinations.rules import FOUR_SUITS


def lead(hand: str) -> str:
    return " ".join(map(str, cards_of(cards_in(choose_lead(mask_of(parse_cards(hand)), FOUR_SUITS)))))


def test_the_most_cards_are_led_without_wild_cards() -> None:
    assert lead("4r 5r 6r 9g 9y 2o J Q K") == "4r 5r 6r"


def test_the_lowest_of_equal_plays_is_led() -> None:
    assert lead("9r 4o 6g K") == "4o"


def test_bombs_are_saved() -> None:
    assert lead("3r 5r 7r 9r 2g J Q") == "2g"
