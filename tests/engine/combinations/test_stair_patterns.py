"""The suit cards of a window of ranks that make a stair, with how many wild cards."""

from engine.cards.hand import cards_of
from engine.combinations.stair_patterns import WINDOW, add_stairs_in_window, parts_of
from tests.engine.combinations.naming import cards, plays


def stairs_from(codes: str, low: int, high: int, *, touched: int = 0) -> list[str]:
    found: list[int] = []
    add_stairs_in_window(found, cards(codes), low, high, 4, touched)
    return plays(found)


def test_a_window_holds_the_suit_cards_of_its_ranks_in_five_suits() -> None:
    assert " ".join(map(str, cards_of(WINDOW[4][5]))) == "4r 5r 4o 5o 4y 5y 4g 5g 4b 5b"


def test_a_stair_reaches_from_end_to_end_of_its_window() -> None:
    assert stairs_from("4r 4g 5r 5g 6r 6g", 4, 6) == ["4r 5r 6r 4g 5g 6g: stair of pairs, four to six"]


def test_a_stair_that_reaches_ten_goes_on_to_jacks_where_face_cards_are_left() -> None:
    assert "9r Tr 9g Tg J Q: stair of pairs, nine to jack" in stairs_from("9r 9g Tr Tg J Q", 9, 10)
    assert not any("jack" in play for play in stairs_from("9r 9g Tr Tg J", 9, 10))


def test_a_suit_of_wild_cards_alone_counts_only_where_any_number_of_suits_does() -> None:
    assert "5r 6r J Q: stair of pairs, five to six" in stairs_from("5r 6r J Q", 5, 6)
    assert stairs_from("5r 6r J Q", 5, 6, touched=2) == []


def test_every_part_keeps_a_card_of_each_column() -> None:
    columns = (cards("4r 5r"), cards("4g"))
    assert {" ".join(map(str, cards_of(part))) for part in parts_of(columns, 2)} == {
        "4r 5r 4g",
        "4r 4g",
        "5r 4g",
    }
