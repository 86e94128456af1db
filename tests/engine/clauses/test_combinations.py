"""What the texts say about combinations, tested once for all of them: readings, and what beats what."""

from itertools import combinations, pairwise

import pytest

from engine.cards.card import SUIT_CARDS
from engine.cards.hand import mask_of, parse_cards
from engine.combinations.beating import beats, judge
from engine.combinations.kinds import COMBINATIONS, Combination, Kind
from engine.combinations.readings import numbers_of, readings_of
from engine.combinations.rules import FIVE_SUITS, CombinationRules
from engine.rulebook import Clause

SUITS = {2: 4, 3: 5}
BOMBS = ["3r 5o 7y 9g", "J Q", "J K", "Q K", "J Q K", "3y 5y 7y 9y"]


def shapes(cards: str, players: int = 3) -> set[tuple[str, int, int, int]]:
    """Return the shapes that cards can form: kind, top, width and length."""
    readings = [
        reading.combination
        for reading in readings_of(mask_of(parse_cards(cards)), CombinationRules(SUITS[players]))
    ]
    return {(each.kind.value, each.top, each.width, each.length) for each in readings}


def can_beat(cards: str, current: str, players: int = 3) -> bool:
    """Return whether some reading of the cards beats some reading of those on the table."""
    numbers, on = (
        numbers_of(mask_of(parse_cards(each)), CombinationRules(SUITS[players])) for each in (cards, current)
    )
    return any(beats(number, each) for number in numbers for each in on)


@pytest.mark.clause("common.sets.one-rank", "booklet.combinations.sets-lost")
def test_a_set_has_one_rank() -> None:
    assert shapes("8r 8g") == {("set", 8, 2, 1)}
    assert shapes("8r 9g") == set()


@pytest.mark.clause(
    "common.sets.any-size", "booklet.combinations.single", "deluxe.combinations.single-or-set"
)
@pytest.mark.parametrize(
    ("cards", "width"), (("8r", 1), ("8r 8o", 2), ("8r 8o 8y", 3), ("8r 8o 8y 8g 8b", 5))
)
def test_a_set_is_a_single_card_or_more(cards: str, width: int) -> None:
    assert ("set", 8, width, 1) in shapes(cards)


@pytest.mark.clause("common.sets.up-to-eight", "classic.wilds.in-sets-too")
def test_with_all_wild_cards_a_set_has_up_to_eight_cards() -> None:
    assert ("set", 8, 8, 1) in shapes("8r 8o 8y 8g 8b J Q K")
    assert max(each[2] for each in shapes("8r 8o 8y 8g 8b J Q K")) == 8


@pytest.mark.clause("common.sets.up-to-seven-for-two")
def test_with_two_players_a_set_has_up_to_seven_cards() -> None:
    assert ("set", 8, 7, 1) in shapes("8r 8o 8y 8g J Q K", players=2)


@pytest.mark.clause("common.sequences.run")
def test_a_run_is_three_or_more_consecutive_cards_of_one_suit() -> None:
    assert shapes("4g 5g 6g") == {("run", 6, 1, 3)}
    assert shapes("4g 5g") == shapes("4g 5g 7g") == shapes("4g 5g 6r") == set()


@pytest.mark.clause("common.sequences.stair")
@pytest.mark.parametrize(
    ("cards", "shape"),
    (
        ("4g 4r 5g 5r", ("stair", 5, 2, 2)),
        ("4g 4r 5g 5r 6g 6r", ("stair", 6, 2, 3)),
        ("4g 4r 4b 5g 5r 5b", ("stair", 5, 3, 2)),
    ),
)
def test_a_stair_is_two_or_more_consecutive_larger_sets(cards: str, shape: tuple[str, int, int, int]) -> None:
    assert shapes(cards) == {shape}


@pytest.mark.clause("common.sequences.shared-suits", "revised.sequences.same-collection-of-suits")
def test_the_sets_of_a_stair_share_their_suits() -> None:
    assert shapes("4g 4r 5g 5b") == set()


@pytest.mark.clause("haggish.sequences.three-cards-at-least")
def test_two_cards_are_never_a_run() -> None:
    for pair in combinations(SUIT_CARDS, 2):
        assert {reading.combination.kind for reading in readings_of(mask_of(pair), FIVE_SUITS)} <= {Kind.SET}


@pytest.mark.clause("common.wilds.lower")
@pytest.mark.parametrize("face", ("J", "Q", "K"))
def test_a_face_card_stands_for_any_lower_rank(face: str) -> None:
    for rank in "23456789T":
        assert len(shapes(f"{rank}g {face}")) == 1


@pytest.mark.clause("classic.wilds.not-higher")
def test_a_jack_does_not_stand_for_a_queen_or_king() -> None:
    assert shapes("9g Tg J") == {("run", 10, 1, 3), ("run", 11, 1, 3)}
    assert ("run", 12, 1, 3) in shapes("Tg J Q")
    assert ("run", 13, 1, 4) not in shapes("9g Tg J Q") | shapes("Tg 9g 8g J")


@pytest.mark.clause("common.wilds.any-suit")
@pytest.mark.parametrize("suit", "roygb")
def test_in_a_run_or_stair_a_face_card_has_the_required_suit(suit: str) -> None:
    assert ("run", 6, 1, 3) in shapes(f"4{suit} J 6{suit}")


@pytest.mark.clause("common.wilds.not-only-wild", "common.wilds.run-to-the-jack")
def test_nine_ten_jack_beats_eight_nine_ten() -> None:
    assert can_beat("9g Tg J", "8r 9r Tr")


@pytest.mark.clause("common.wilds.not-only-wild", "common.wilds.stair-to-the-jack")
def test_tens_with_jack_and_queen_beat_nines_and_tens() -> None:
    assert can_beat("Tr Tg J Q", "9o 9y To Ty")


@pytest.mark.clause("common.wilds.jack-beats-ten", "booklet.combinations.face-values")
def test_single_face_cards_rank_above_the_ten() -> None:
    for lower, higher in pairwise(["Tr", "J", "Q", "K"]):
        assert can_beat(higher, lower)
        assert not can_beat(lower, higher)


@pytest.mark.clause("common.wilds.alone-is-a-single")
def test_a_face_card_alone_is_only_a_single() -> None:
    assert [shapes(face) for face in "JQK"] == [{("set", 11, 1, 1)}, {("set", 12, 1, 1)}, {("set", 13, 1, 1)}]


@pytest.mark.clause("common.wilds.need-a-suit-card", "common.wilds.several-alone-are-a-bomb")
@pytest.mark.parametrize("faces", ("J Q", "J K", "Q K", "J Q K"))
def test_face_cards_without_a_suit_card_are_only_a_bomb(faces: str) -> None:
    assert {shape[0] for shape in shapes(faces)} == {"bomb"}
    assert "bomb" not in {shape[0] for shape in shapes(f"8g {faces}")}


@pytest.mark.clause("common.bombs.order", "common.bombs.only-by-higher")
def test_each_of_six_bombs_is_beaten_only_by_higher_ones() -> None:
    for level, bomb in enumerate(BOMBS, start=1):
        assert shapes(bomb) == {("bomb", level, 0, 0)}
        assert [can_beat(other, bomb) for other in BOMBS] == [other > level for other in range(1, 7)]


@pytest.mark.clause("common.bombs.four-suits", "common.bombs.one-suit")
def test_three_five_seven_nine_in_two_or_three_suits_is_not_a_bomb() -> None:
    assert shapes("3r 5o 7y 9b") == {("bomb", 1, 0, 0)}
    assert shapes("3r 5r 7y 9g") == shapes("3r 5r 7y 9y") == shapes("3r 5r 7r 9y") == set()


@pytest.mark.clause("common.bombs.no-wilds")
@pytest.mark.parametrize("cards", ("3r 5o 7y K", "J 5y 7y 9y", "3y 5y Q 9y"))
def test_wild_cards_do_not_complete_a_bomb(cards: str) -> None:
    assert "bomb" not in {shape[0] for shape in shapes(cards)}


@pytest.mark.clause("common.bombs.beats-the-rest", "booklet.bombs.in-any-trick")
@pytest.mark.parametrize("current", ("2r", "K", "8r 8o 8y 8g 8b J Q K", "4g 5g 6g", "4g 4r 5g 5r"))
def test_the_lowest_bomb_beats_every_combination_that_is_not_a_bomb(current: str) -> None:
    assert can_beat(BOMBS[0], current)
    assert not can_beat(current, BOMBS[0])


@pytest.mark.clause("common.tricks.same-type", "common.tricks.same-size", "common.tricks.higher-ranks")
@pytest.mark.parametrize(
    ("cards", "current", "beaten"),
    (
        ("9g", "8r", True),
        ("8g", "8r", False),
        ("9g 9o", "8r", False),
        ("5g 6g 7g", "4r 5r 6r", True),
        ("5g 6g 7g 8g", "4r 5r 6r", False),
        ("9g 9o 9y", "4r 5r 6r", False),
        ("5g 5o 6g 6o", "4r 4y 5r 5y", True),
        ("6g 7g 8g 9g", "4r 4y 5r 5y", False),
        ("5g 5o 5y 6g 6o 6y", "3r 3b 4r 4b 5r 5b", False),
    ),
)
def test_a_combination_is_beaten_by_a_higher_one_of_the_same_kind_and_size(
    cards: str, current: str, *, beaten: bool
) -> None:
    assert can_beat(cards, current) is beaten


@pytest.mark.clause("common.lead.any-combination")
@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
def test_every_combination_may_be_led(combination: Combination) -> None:
    assert judge(combination, None) == (True, Clause.LEAD_ANYTHING)
    assert beats(combination.number, 0)
