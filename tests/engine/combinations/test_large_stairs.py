"""Large stairs: five ranks or more in two suits, and three ranks or more in three suits or more."""

import pytest

from engine.cards.hand import cards_of
from engine.combinations.large_stairs import add_large_stairs
from engine.combinations.stairs import stairs_in
from tests.engine.combinations.naming import cards, plays


def large_stairs(codes: str, suits: int) -> list[str]:
    found: list[int] = []
    add_large_stairs(found, cards(codes), suits)
    return plays(found)


@pytest.mark.parametrize(
    ("codes", "text"),
    (
        ("2r 2g 3r 3g 4r 4g 5r 5g 6r 6g", "stair of pairs, two to six"),
        ("6r 6g 7r 7g 8r 8g 9r 9g Tr Tg", "stair of pairs, six to ten"),
        ("4r 4o 4y 5r 5o 5y 6r 6o 6y", "stair of triples, four to six"),
        ("8r 8o 8y 8g 9r 9o 9y 9g Tr To Ty Tg", "stair of quadruples, eight to ten"),
        ("2r 2o 2y 2g 2b 3r 3o 3y 3g 3b 4r 4o 4y 4g 4b", "stair of quintuples, two to four"),
    ),
)
def test_they_are_found_wherever_they_are(codes: str, text: str) -> None:
    ordered = " ".join(str(card) for card in cards_of(cards(codes)))
    assert f"{ordered}: {text}" in large_stairs(codes, 5)


@pytest.mark.parametrize("codes", ("2r 2g 3r 3g 4r 4g 5r 5g", "4r 4o 4y 5r 5o 5y", "4r 4g 5r 5g 6r 6g J Q K"))
def test_smaller_stairs_are_none_of_them(codes: str) -> None:
    assert large_stairs(codes, 4) == []
    assert stairs_in(cards(codes), 4)


def test_wild_cards_fill_three_gaps_and_one_card_less_is_no_stair() -> None:
    assert large_stairs("2r 2g 3r 4g 5r 6r 6g J Q K", 4) == [
        "2r 3r 5r 6r 2g 4g 6g J Q K: stair of pairs, two to six"
    ]
    assert large_stairs("2r 2g 3r 4g 6r 6g J Q K", 4) == []


def test_a_hand_found_in_three_suits_is_not_found_again_in_a_fourth_that_it_lacks() -> None:
    found = large_stairs("4r 4o 4y 5r 5o 5y 6r 6o 6y J Q K", 4)
    assert len(found) == len(set(found))
