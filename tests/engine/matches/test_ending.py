import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.matches.ending import Length, is_over, winners


@pytest.mark.clause("common.match.target", "common.setup.several-rounds")
@pytest.mark.parametrize(("most", "over"), ((249, False), (250, True), (251, True)))
def test_a_match_ends_when_the_target_is_reached(most: int, *, over: bool) -> None:
    assert is_over(Length(target=250), totals=(100, most), rounds_played=4) is over


@pytest.mark.clause("common.match.number-of-rounds")
@pytest.mark.parametrize(("played", "over"), ((5, False), (6, True), (7, True)))
def test_a_match_of_rounds_ends_at_any_score(played: int, *, over: bool) -> None:
    assert is_over(Length(rounds=6), totals=(1000, 3, 2), rounds_played=played) is over


@pytest.mark.clause("common.match.tied-plays-on")
@pytest.mark.parametrize("length", (Length(target=250), Length(rounds=6)))
def test_a_tie_for_first_continues_the_match(length: Length) -> None:
    assert not is_over(length, totals=(260, 260, 100), rounds_played=6)
    assert is_over(length, totals=(280, 281, 281 - 2), rounds_played=7)


@pytest.mark.clause("common.match.tied-plays-on")
def test_a_tie_below_first_place_ends_the_match() -> None:
    assert is_over(Length(target=250), totals=(260, 100, 100), rounds_played=3)


@pytest.mark.clause("common.match.most-points-win")
def test_the_winner_has_the_most_points() -> None:
    assert winners((254, 260, 31)) == (1,)


@given(totals=st.lists(st.integers(0, 400), min_size=2, max_size=3), rounds=st.integers(1, 100))
def test_a_match_that_is_over_has_one_winner(totals: list[int], rounds: int) -> None:
    for length in (Length(target=250), Length(rounds=6)):
        if is_over(length, totals=totals, rounds_played=rounds):
            assert len(winners(totals)) == 1


def test_the_default_length_is_250_points() -> None:
    assert Length.agreed() == Length(target=250)


def test_the_agreed_length_is_used() -> None:
    assert Length.agreed(target=350) == Length(target=350)
    assert Length.agreed(rounds=8) == Length(rounds=8)


@pytest.mark.parametrize("target", (1, 1000))
@pytest.mark.parametrize("rounds", (1, 100))
def test_the_bounds_of_a_length_are_valid(target: int, rounds: int) -> None:
    assert (Length(target=target).target, Length(rounds=rounds).rounds) == (target, rounds)


@pytest.mark.parametrize(
    ("target", "rounds", "where"),
    (
        (250, 6, "rounds"),
        (None, None, "target_score"),
        (0, None, "target_score"),
        (1001, None, "target_score"),
        (None, 0, "rounds"),
        (None, 101, "rounds"),
    ),
)
def test_an_invalid_length_is_refused_with_its_field(
    target: int | None, rounds: int | None, where: str
) -> None:
    with pytest.raises(Malformed) as refused:
        Length(target=target, rounds=rounds)
    assert (refused.value.code, refused.value.where) == ("invalid_length", where)
