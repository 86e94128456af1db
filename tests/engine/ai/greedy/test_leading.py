from engine.ai.greedy.leading import choose_lead
from engine.cards.hand import cards_of, mask_of, parse_cards
from engine.combinations.plays import cards_in
from engine.plays.leading import leads


def lead(hand: str, *, opposing: int = 10) -> str:
    cards = mask_of(parse_cards(hand))
    return " ".join(map(str, cards_of(cards_in(choose_lead(leads(cards, 4), cards, 4, opposing)))))


def test_the_most_cards_are_led_without_wild_cards() -> None:
    assert lead("4r 5r 6r 9g 9y 2o J Q K") == "4r 5r 6r"


def test_of_equal_plays_the_lowest_is_led() -> None:
    assert lead("9r 4o 6g K") == "4o"


def test_bombs_are_kept() -> None:
    assert lead("3r 5r 7r 9r 2g J Q") == "2g"


def test_against_a_last_card_a_play_of_more_cards_is_led() -> None:
    assert lead("2r 2g 9o Ty K", opposing=1) == "2r 2g"


def test_against_two_cards_a_play_of_more_cards_is_led_before_a_pair() -> None:
    assert lead("2r 3r 4r Tg Ty K", opposing=2) == "2r 3r 4r"


def test_against_a_last_card_the_highest_single_is_led_where_there_is_nothing_else() -> None:
    assert lead("2r 9o Ty", opposing=1) == "Ty"
