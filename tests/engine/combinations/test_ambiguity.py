"""How a reading is chosen: ruling 7, step by step."""

import pytest

from engine.combinations.ambiguity import UNNAMED, Named, choose_reading
from engine.combinations.kinds import Kind, combination_of
from engine.combinations.rules import CombinationRules
from engine.errors import Refused
from engine.rulebook import Clause
from tests.engine.combinations.naming import a_bomb, a_run, a_set, a_stair, cards

LEADING = 0
A_RUN = Named(kind=Kind.RUN)
A_STAIR = Named(kind=Kind.STAIR)


def chosen(codes: str, named: Named = UNNAMED, *, on: int = LEADING, suits: int = 4) -> int:
    return choose_reading(cards(codes), named, on, CombinationRules(suits))


def refused(
    codes: str, named: Named = UNNAMED, *, on: int = LEADING, suits: int = 4
) -> tuple[str, Clause, list[str]]:
    with pytest.raises(Refused) as error:
        chosen(codes, named, on=on, suits=suits)
    refusal = error.value
    readings = [str(getattr(reading, "combination", None)) for reading in refusal.readings]
    return refusal.code, refusal.rule, readings


# Unnamed


def test_cards_with_one_reading_are_played_as_that() -> None:
    assert chosen("7r") == a_set(7, 1)
    assert chosen("J Q") == a_bomb(2)
    assert chosen("7r 7g J", on=a_set(6, 3)) == a_set(7, 3)


@pytest.mark.clause("common.wilds.run-to-the-jack")
def test_the_highest_top_is_taken_if_all_readings_have_one_shape() -> None:
    assert chosen("9r Tr J") == a_run(11, 3)
    assert chosen("9r Tr J", on=a_run(10, 3)) == a_run(11, 3)
    assert chosen("4r 4g 5r 5g J Q", on=a_stair(4, 2, 3)) == a_stair(6, 2, 3)


def test_readings_of_several_shapes_are_ambiguous_and_all_are_listed() -> None:
    code, rule, readings = refused("3r J Q")
    assert (code, rule) == ("ambiguous_combination", Clause.PLAY_ONE_READING)
    assert readings == ["three threes", "run of three, two to four", "run of three, three to five"]


def test_only_readings_that_beat_the_current_play_count() -> None:
    assert chosen("3r J Q", on=a_set(2, 3)) == a_set(3, 3)
    assert chosen("3r J Q", on=a_run(4, 3)) == a_run(5, 3)
    assert chosen("5r J Q K", on=a_run(5, 4)) == a_run(8, 4)
    assert chosen("5r J Q K", on=a_stair(4, 2, 2)) == a_stair(6, 2, 2)


@pytest.mark.clause("common.wilds.stair-to-the-jack")
def test_tens_jack_and_queen_beat_nines_and_tens_only_as_the_stair_to_the_jack() -> None:
    assert chosen("Tr Tg J Q", on=a_stair(10, 2, 2)) == a_stair(11, 2, 2)
    assert refused("Tr Tg J Q", Named(top=10), on=a_stair(10, 2, 2))[0] == "does_not_beat"


# Named, fully or partially


def test_a_fully_named_combination_is_played() -> None:
    assert chosen("3r J Q", Named(Kind.RUN, 4, 1, 3)) == a_run(4, 3)
    assert chosen("3r J Q", Named(Kind.SET, 3, 3, 1)) == a_set(3, 3)


def test_a_lower_reading_may_be_chosen() -> None:
    assert chosen("9r Tr J", Named(top=10)) == a_run(10, 3)
    assert chosen("5r J Q K", Named(kind=Kind.RUN, top=6), on=a_run(5, 4)) == a_run(6, 4)


@pytest.mark.parametrize(
    ("named", "expected"),
    (
        (Named(kind=Kind.SET), a_set(5, 4)),
        (Named(width=4), a_set(5, 4)),
        (A_RUN, a_run(8, 4)),
        (Named(length=4), a_run(8, 4)),
        (Named(width=1), a_run(8, 4)),
        (Named(top=7), a_run(7, 4)),
        (A_STAIR, a_stair(6, 2, 2)),
        (Named(length=2), a_stair(6, 2, 2)),
        (Named(width=2, top=5), a_stair(5, 2, 2)),
        (Named(kind=Kind.STAIR, top=5), a_stair(5, 2, 2)),
    ),
)
def test_a_partial_name_leaves_the_highest_matching_top(named: Named, expected: int) -> None:
    assert chosen("5r J Q K", named) == expected


def test_a_partial_name_that_matches_several_shapes_is_ambiguous() -> None:
    code, rule, readings = refused("5r J Q K", Named(top=6))
    assert (code, rule) == ("ambiguous_combination", Clause.PLAY_ONE_READING)
    assert readings == ["run of four, three to six", "stair of pairs, five to six"]


def test_an_empty_name_counts_as_unnamed() -> None:
    assert Named() == UNNAMED
    assert all(UNNAMED.fits(combination_of(number)) for number in (a_set(2, 1), a_run(5, 3), a_bomb(6)))


def test_the_name_is_applied_before_checking_what_beats() -> None:
    assert chosen("5r J Q K", A_RUN, on=a_run(5, 4)) == a_run(8, 4)
    assert refused("5r J Q K", A_STAIR, on=a_run(5, 4))[:2] == ("does_not_beat", Clause.BEAT_SAME_KIND)


# Refused


@pytest.mark.parametrize("named", (UNNAMED, A_RUN, Named(kind=Kind.BOMB, top=6)))
@pytest.mark.parametrize("current", (LEADING, a_set(2, 1), a_bomb(6)))
def test_cards_without_readings_are_refused_under_any_name(named: Named, current: int) -> None:
    assert refused("2r 9g", named, on=current) == ("not_a_combination", Clause.SET_ONE_RANK, [])


def test_an_empty_play_is_not_a_combination() -> None:
    assert refused("")[0] == "not_a_combination"


@pytest.mark.parametrize(
    "named",
    (
        Named(kind=Kind.BOMB),
        Named(top=9),
        Named(width=5),
        Named(length=7),
        Named(Kind.RUN, 4, 1, 4),
        Named(Kind.SET, 4),
    ),
)
@pytest.mark.parametrize("current", (LEADING, a_set(2, 1), a_bomb(6)))
def test_cards_that_do_not_match_their_name_are_refused(named: Named, current: int) -> None:
    code, rule, readings = refused("3r J Q", named, on=current)
    assert (code, rule) == ("not_a_combination", Clause.COMBINATION_AS_NAMED)
    assert readings == ["three threes", "run of three, two to four", "run of three, three to five"]


@pytest.mark.parametrize(
    ("codes", "named", "current", "rule"),
    (
        ("7r", UNNAMED, a_set(7, 1), Clause.BEAT_HIGHER_TOP),
        ("7r", UNNAMED, a_set(5, 2), Clause.BEAT_SAME_SIZE),
        ("7r", UNNAMED, a_run(5, 3), Clause.BEAT_SAME_KIND),
        ("7r", UNNAMED, a_bomb(1), Clause.BOMB_ONLY_BY_BOMB),
        ("J Q", UNNAMED, a_bomb(3), Clause.BOMB_BEATS_LOWER),
        ("J Q", UNNAMED, a_bomb(2), Clause.BOMB_BEATS_LOWER),
        ("3r J Q", UNNAMED, a_run(5, 3), Clause.BEAT_HIGHER_TOP),
        ("3r J Q", UNNAMED, a_run(7, 4), Clause.BEAT_SAME_SIZE),
        ("3r J Q", UNNAMED, a_stair(4, 2, 2), Clause.BEAT_SAME_KIND),
        ("3r J Q", Named(kind=Kind.SET), a_run(4, 3), Clause.BEAT_SAME_KIND),
        ("9r Tr J", Named(top=10), a_run(10, 3), Clause.BEAT_HIGHER_TOP),
    ),
)
def test_a_losing_play_reports_the_clause_of_its_closest_reading(
    codes: str, named: Named, current: int, rule: Clause
) -> None:
    assert refused(codes, named, on=current) == ("does_not_beat", rule, [])


# The deck


def test_with_two_players_a_stair_is_at_most_four_wide() -> None:
    wide = "4r 4o 4y 4g 5r 5o 5y 5g J Q"
    assert refused(wide, suits=4)[0] == "not_a_combination"
    assert chosen(wide, suits=5) == a_stair(5, 5, 2)


def test_with_four_suits_eight_cards_of_two_ranks_are_at_most_quadruples() -> None:
    narrow = "4r 4o 4y 5r 5o 5y J Q"
    assert chosen(narrow, suits=4) == a_stair(5, 4, 2)
    assert chosen(narrow, suits=5) == a_stair(5, 4, 2)


@pytest.mark.parametrize(
    ("codes", "suits", "width"), (("7r 7o 7y 7g J Q K", 4, 7), ("7r 7o 7y 7g 7b J Q K", 5, 8))
)
@pytest.mark.clause("common.sets.up-to-seven-for-two", "common.sets.up-to-eight")
def test_sets_have_up_to_seven_cards_with_two_players_and_eight_with_three(
    codes: str, suits: int, width: int
) -> None:
    assert chosen(codes, suits=suits) == a_set(7, width)
