"""Which card each wild card of a combination stands for."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS, SUIT_CARDS, Card
from engine.cards.hand import cards_of, mask_of
from engine.combinations.kinds import Combination, Kind, combination_of
from engine.combinations.plays import cards_in, number_in
from engine.combinations.readings import numbers_of
from engine.combinations.rules import CombinationRules
from engine.combinations.wilds import Wild, wilds_in
from engine.plays.leading import leads
from tests.engine.combinations.naming import a_bomb, a_run, a_set, a_stair, cards


def stands_for(codes: str, number: int) -> dict[str, str]:
    return {str(wild.face): wild.stands_for for wild in wilds_in(cards(codes), combination_of(number))}


@pytest.mark.parametrize(
    ("codes", "number", "expected"),
    (
        ("7r Q", a_set(7, 2), {"Q": "7"}),
        ("7r J Q K", a_set(7, 4), {"J": "7", "Q": "7", "K": "7"}),
        ("9r Tr J", a_run(10, 3), {"J": "8r"}),
        ("9r Tr J", a_run(11, 3), {}),
        ("9r Tr K", a_run(11, 3), {"K": "J"}),
        ("Tr Q K", a_run(12, 3), {"K": "J"}),
        ("Tr J K", a_run(12, 3), {"K": "Q"}),
        ("Tr J Q K", a_run(13, 4), {}),
        ("8g Tg J Q K", a_run(11, 5), {"Q": "7g", "K": "9g"}),
        ("3r J Q", a_run(4, 3), {"J": "2r", "Q": "4r"}),
        ("4r 4g 5r J", a_stair(5, 2, 2), {"J": "5g"}),
        ("Tr Tg J Q", a_stair(11, 2, 2), {"Q": "J"}),
        ("Tr Tg J Q", a_stair(10, 2, 2), {"J": "9r", "Q": "9g"}),
        ("Tr J Q K", a_stair(11, 2, 2), {"Q": "J", "K": "To"}),
        ("Tr Tg Tb J Q K", a_stair(11, 3, 2), {"Q": "J", "K": "J"}),
        ("5r J Q K", a_stair(6, 2, 2), {"J": "5o", "Q": "6r", "K": "6o"}),
    ),
)
@pytest.mark.clause("common.wilds.lower", "common.wilds.any-suit", "common.wilds.not-only-wild")
def test_a_wild_card_has_a_rank_and_the_required_suit(
    codes: str, number: int, expected: dict[str, str]
) -> None:
    assert stands_for(codes, number) == expected


@pytest.mark.parametrize(
    ("codes", "number"),
    (
        ("7r 7g", a_set(7, 2)),
        ("J", a_set(11, 1)),
        ("K", a_set(13, 1)),
        ("J Q K", a_bomb(5)),
        ("3r 4r 5r", a_run(5, 3)),
    ),
)
def test_single_face_cards_and_bombs_have_no_wild_cards(codes: str, number: int) -> None:
    assert stands_for(codes, number) == {}


def test_a_suit_of_wild_cards_only_is_the_first_unused_suit() -> None:
    assert stands_for("4o 5o 6o J Q K", a_stair(6, 2, 3)) == {"J": "4r", "Q": "5r", "K": "6r"}
    assert stands_for("4r 5r 6r J Q K", a_stair(6, 2, 3)) == {"J": "4o", "Q": "5o", "K": "6o"}


@st.composite
def hands(draw: st.DrawFn) -> tuple[int, int]:
    """Draw a hand from a deck of some ranks, and the number of suits."""
    suits = draw(st.sampled_from((4, 5)))
    low = draw(st.integers(2, 10))
    high = draw(st.integers(low, 10))
    deck = [card for card in SUIT_CARDS[: 9 * suits] if low <= card.rank <= high]
    suit_cards = draw(st.sets(st.sampled_from(deck), min_size=1, max_size=10))
    faces = draw(st.sets(st.sampled_from(FACE_CARDS), min_size=1))
    return mask_of(suit_cards | faces), suits


def completed(group: tuple[Card, ...], wilds: tuple[Wild, ...]) -> list[tuple[int, int | None]]:
    """Return the ranks and suits of the cards, with each wild card replaced by the card it stands for."""
    standing = {wild.face: (wild.rank, wild.suit) for wild in wilds}
    return [standing.get(card, (card.rank, card.suit)) for card in group]


def assert_is(combination: Combination, suits: int, places: list[tuple[int, int | None]]) -> None:
    """Assert that these ranks and suits are the combination, in a deck of this many suits."""
    lowest = combination.top - combination.length + 1
    ranks = Counter(rank for rank, _ in places)
    assert ranks == dict.fromkeys(range(lowest, combination.top + 1), combination.width)
    if combination.kind is Kind.SET:
        return
    of_suits = [place for place in places if place[0] <= 10]
    assert len(set(of_suits)) == len(of_suits)
    used = {suit for _, suit in of_suits}
    assert len(used) == combination.width
    assert used <= set(range(suits))


@given(hands(), st.data())
def test_replacing_wild_cards_by_what_they_stand_for_gives_the_same_combination(
    hand_and_suits: tuple[int, int], data: st.DataObject
) -> None:
    hand, suits = hand_and_suits
    play = data.draw(
        st.sampled_from([play for play in leads(hand, CombinationRules(suits)) if play < a_bomb(1) << 48])
    )
    combination = combination_of(number_in(play))
    group = cards_of(cards_in(play))
    wilds = wilds_in(cards_in(play), combination)
    for wild in wilds:
        assert wild.face in group
        assert wild.rank < wild.face.rank
        assert (wild.suit is None) is (wild.rank > 10 or combination.kind is Kind.SET)
    assert len({wild.face for wild in wilds}) == len(wilds)
    assert [wild.face for wild in wilds] == sorted(wild.face for wild in wilds)
    assert_is(combination, suits, completed(group, wilds))


@given(hands())
def test_wild_cards_are_assigned_deterministically(hand_and_suits: tuple[int, int]) -> None:
    hand, suits = hand_and_suits
    for number in numbers_of(hand, CombinationRules(suits)):
        first = wilds_in(hand, combination_of(number))
        assert first == wilds_in(hand, combination_of(number))
