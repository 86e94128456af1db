"""What beats what, and the clause that decides."""

import pytest

from engine.combinations import beating
from engine.combinations.beating import judge
from engine.combinations.kinds import COMBINATIONS, FIRST_BOMB, combination_of
from engine.rulebook import Clause
from tests.engine import brute_force
from tests.engine.combinations.naming import a_bomb, a_run, a_set, a_stair
from tests.engine.plays.positions import combination_at

NUMBERS = range(1, len(COMBINATIONS) + 1)


def judged(number: int, current: int) -> tuple[bool, Clause]:
    return judge(combination_of(number), combination_of(current))


def test_beats_and_judge_match_the_rules_for_all_pairs() -> None:
    for current in NUMBERS:
        for number in NUMBERS:
            expected = brute_force.beats(combination_at(number), combination_at(current))
            assert beating.beats(number, current) == judged(number, current)[0] == expected


@pytest.mark.clause("common.lead.any-combination")
def test_every_combination_may_be_led() -> None:
    for number in NUMBERS:
        assert beating.beats(number, 0)
        assert judge(combination_of(number), None) == (True, Clause.LEAD_ANYTHING)


@pytest.mark.parametrize(
    ("number", "current"),
    (
        (a_set(11, 1), a_set(10, 1)),
        (a_set(13, 1), a_set(2, 1)),
        (a_set(5, 3), a_set(4, 3)),
        (a_run(11, 3), a_run(10, 3)),
        (a_stair(11, 2, 2), a_stair(10, 2, 2)),
    ),
)
@pytest.mark.clause(
    "common.tricks.higher-ranks", "common.wilds.jack-beats-ten", "common.wilds.run-to-the-jack"
)
@pytest.mark.clause("common.wilds.stair-to-the-jack")
def test_a_higher_top_of_the_same_shape_beats_a_lower_one_but_not_vice_versa(
    number: int, current: int
) -> None:
    assert judged(number, current) == (True, Clause.BEAT_HIGHER_TOP)
    assert judged(current, number) == (False, Clause.BEAT_HIGHER_TOP)
    assert judged(number, number) == (False, Clause.BEAT_HIGHER_TOP)


@pytest.mark.parametrize(
    ("number", "current"),
    (
        (a_set(9, 2), a_set(3, 1)),
        (a_run(9, 4), a_run(5, 3)),
        (a_stair(9, 2, 3), a_stair(4, 2, 2)),
        (a_stair(9, 3, 2), a_stair(4, 2, 3)),  # six cards each, in pairs or in triples
    ),
)
@pytest.mark.clause("common.tricks.same-size")
def test_another_width_or_length_does_not_beat(number: int, current: int) -> None:
    assert judged(number, current) == (False, Clause.BEAT_SAME_SIZE)
    assert judged(current, number) == (False, Clause.BEAT_SAME_SIZE)


@pytest.mark.parametrize(
    ("number", "current"),
    ((a_set(9, 3), a_run(5, 3)), (a_stair(9, 2, 2), a_run(6, 4)), (a_set(8, 4), a_stair(4, 2, 2))),
)
@pytest.mark.clause("common.tricks.same-type")
def test_another_kind_with_as_many_cards_does_not_beat(number: int, current: int) -> None:
    assert judged(number, current) == (False, Clause.BEAT_SAME_KIND)
    assert judged(current, number) == (False, Clause.BEAT_SAME_KIND)


@pytest.mark.clause("common.bombs.beats-the-rest", "booklet.bombs.in-any-trick")
def test_every_bomb_beats_every_combination_that_is_not_a_bomb() -> None:
    for level in range(1, 7):
        for current in range(1, FIRST_BOMB):
            assert judged(a_bomb(level), current) == (True, Clause.BOMB_BEATS_ALL)


@pytest.mark.clause("common.bombs.only-by-higher", "common.bombs.order")
def test_a_bomb_beats_only_lower_bombs() -> None:
    for level in range(1, 7):
        for other in range(1, 7):
            assert judged(a_bomb(level), a_bomb(other)) == (level > other, Clause.BOMB_BEATS_LOWER)


@pytest.mark.clause("common.bombs.only-by-higher")
def test_only_a_bomb_beats_a_bomb() -> None:
    for number in range(1, FIRST_BOMB):
        assert judged(number, a_bomb(1)) == (False, Clause.BOMB_ONLY_BY_BOMB)
