import pytest

from engine.ai.network.arrays import np
from engine.ai.network.beating import chances
from engine.cards.hand import mask_of, parse_cards
from engine.combinations.kinds import Kind, number_of


def chance_of(unseen: str, kind: Kind, *, top: int, width: int, length: int, wilds: int = 0) -> float:
    cards = np.array([mask_of(parse_cards(unseen))], dtype=np.int64)
    by_suit_cards, by_one_wild = chances(cards, np.array([0.5], dtype=np.float32), 4)
    number = number_of(kind, top, width, length)
    return float((by_one_wild if wilds else by_suit_cards)[0, number])


def test_only_face_cards_beat_a_ten() -> None:
    assert chance_of("9r 9g Tr", Kind.SET, top=10, width=1, length=1) == 0


def test_more_higher_cards_make_a_single_more_likely_to_be_beaten() -> None:
    few = chance_of("2r 9g", Kind.SET, top=8, width=1, length=1)
    many = chance_of("9r 9g Tg", Kind.SET, top=8, width=1, length=1)
    assert 0 < few < many < 1


@pytest.mark.parametrize("unseen", ("9r Tg", "8r 8g"))
def test_a_pair_is_beaten_by_a_higher_pair_only(unseen: str) -> None:
    assert chance_of(unseen, Kind.SET, top=8, width=2, length=1) == 0
    assert chance_of("9r 9g", Kind.SET, top=8, width=2, length=1) > 0


def test_a_run_is_beaten_by_a_run_of_its_length_in_one_suit() -> None:
    shape = {"top": 4, "width": 1, "length": 3}
    assert chance_of("5r 6r 7r", Kind.RUN, **shape) > 0
    assert chance_of("5r 6r 7g", Kind.RUN, **shape) == 0
    assert chance_of("5r 6r 9g", Kind.RUN, wilds=1, **shape) > 0


def test_a_stair_is_beaten_in_two_suits_with_all_its_ranks() -> None:
    shape = {"top": 3, "width": 2, "length": 2}
    assert chance_of("5r 6r 5g 6g", Kind.STAIR, **shape) > 0
    assert chance_of("5r 6r 5g 7g", Kind.STAIR, **shape) == 0
