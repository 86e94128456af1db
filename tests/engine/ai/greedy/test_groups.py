from hypothesis import given
from hypothesis import strategies as st

from engine.ai.greedy.groups import faces_in, groups, is_bomb, size, top
from engine.cards.hand import FACES, FACES_AT, cards_of, mask_of, parse_cards
from engine.combinations.kinds import combination_of
from engine.combinations.plays import cards_in, number_in
from engine.combinations.rules import FIVE_SUITS, FOUR_SUITS
from engine.plays.leading import leads

HANDS = st.sets(st.integers(0, 47), max_size=17).map(lambda places: sum(1 << place for place in places))


def named(hand: str) -> list[str]:
    return [str(combination_of(number_in(play))) for play in groups(mask_of(parse_cards(hand)), FOUR_SUITS)]


@given(hand=HANDS)
def test_every_suit_card_is_in_one_group_and_face_cards_are_in_none(hand: int) -> None:
    found = groups(hand, FIVE_SUITS)
    assert sum(cards_in(play) for play in found) == hand & ~FACES
    assert sum(size(play) for play in found) == (hand & ~FACES).bit_count()


@given(hand=HANDS)
def test_every_group_can_be_led_and_larger_ones_come_first(hand: int) -> None:
    found = groups(hand, FIVE_SUITS)
    assert set(found) <= set(leads(hand, FIVE_SUITS))
    assert [size(play) for play in found] == sorted((size(play) for play in found), reverse=True)


def test_the_lower_of_equal_groups_comes_first() -> None:
    assert named("9r 9g 4r 4g 7o") == ["pair of fours", "pair of nines", "single seven"]


def test_a_bomb_is_not_a_group() -> None:
    assert named("3r 5r 7r 9r") == ["single three", "single five", "single seven", "single nine"]


def test_an_empty_hand_and_face_cards_alone_have_no_groups() -> None:
    assert named("") == named("J Q K") == []


def test_size_top_and_face_cards_of_a_play_are_known() -> None:
    pair = next(play for play in leads(mask_of(parse_cards("7r K")), FOUR_SUITS) if size(play) == 2)
    assert (faces_in(pair), top(pair), is_bomb(pair)) == (1, 7, False)
    bomb = next(play for play in leads(mask_of(parse_cards("J Q")), FOUR_SUITS) if is_bomb(play))
    assert (faces_in(bomb), size(bomb), str(cards_of(cards_in(bomb) >> FACES_AT << FACES_AT)[0])) == (
        2,
        2,
        "J",
    )
