from dataclasses import replace
from itertools import permutations, product

import pytest

from engine.rulesets.model import TableRules
from engine.scoring.bets import bet_succeeds, bets, collectors, pay_in_full, pay_in_thirds
from tests.engine.scoring.finished_rounds import PLAIN, PLAIN_OF_TWO, table

NO_POINTS = (0, 0, 0)
GOES_OUT_FIRST = ("classic", "revised", "deluxe")
THREE_BETS = list(product((0, 5, 15, 30), repeat=3))


def paid(rules: TableRules, placed: tuple[int | None, ...], out: tuple[int, ...]) -> tuple[int, ...]:
    plain = PLAIN if rules.players == 3 else PLAIN_OF_TWO
    return bets(rules, replace(plain, bets=placed, out=out), NO_POINTS[: rules.players])


@pytest.mark.clause(
    "common.betting.on-going-out-first",
    "common.scoring.bet-won",
    "common.scoring.bet-lost",
    "common.scoring.bet-example-bettor-first",
    "deluxe.scoring.lost-bet-not-split",
)
@pytest.mark.parametrize("key", GOES_OUT_FIRST)
def test_a_bettor_who_is_first_out_scores_both_bets_and_a_non_bettor_the_lost_one(key: str) -> None:
    assert paid(table(key), (15, 15, None), out=(0, 1)) == (30, 0, 15)


@pytest.mark.clause("common.scoring.bet-lost", "common.scoring.bet-example-other-first")
@pytest.mark.parametrize("key", GOES_OUT_FIRST)
def test_a_non_bettor_who_is_first_out_scores_both_lost_bets(key: str) -> None:
    assert paid(table(key), (15, 15, None), out=(2, 0)) == (0, 0, 30)


@pytest.mark.clause("common.scoring.bet-lost", "common.betting.declared-zero")
def test_a_declared_zero_counts_as_no_bet() -> None:
    assert paid(table("classic"), (15, 15, 0), out=(0, 1)) == (30, 0, 15)


@pytest.mark.clause(
    "common.betting.everyone-may", "classic.betting.amounts-may-differ", "revised.betting.amounts-may-differ"
)
@pytest.mark.parametrize("key", ("classic", "revised"))
def test_all_three_may_make_different_bets(key: str) -> None:
    assert paid(table(key), (30, 15, 30), out=(1, 0)) == (0, 75, 0)


@pytest.mark.clause("common.scoring.bet-won")
def test_a_first_out_without_a_bet_collects_a_lost_bet_once() -> None:
    assert paid(table("classic"), (30, None, None), out=(1, 2)) == (0, 30, 30)


@pytest.mark.clause("revised.betting.not-required", "deluxe.betting.nobody-bets")
@pytest.mark.parametrize("key", GOES_OUT_FIRST)
@pytest.mark.parametrize("nothing", ((None, None, None), (0, None, 0)))
def test_without_bets_nobody_scores_for_bets(key: str, nothing: tuple[int | None, ...]) -> None:
    assert paid(table(key), nothing, out=(0, 1)) == (0, 0, 0)


@pytest.mark.clause("haggish.scoring.lost-bet-to-the-opponent", "common.scoring.bet-won")
@pytest.mark.parametrize(
    ("placed", "out", "scored"),
    (
        ((30, None), (0,), (30, 0)),
        ((30, None), (1,), (0, 30)),
        ((30, 15), (0,), (45, 0)),
        ((30, 15), (1,), (0, 45)),
        ((0, 15), (0,), (15, 0)),
    ),
)
def test_in_haggish_a_lost_bet_goes_to_the_opponent(
    placed: tuple[int | None, ...], out: tuple[int, ...], scored: tuple[int, ...]
) -> None:
    assert paid(table("haggish", 2), placed, out=out) == scored


@pytest.mark.clause("booklet.scoring.bet-on-points", "booklet.scoring.bet-just-reached")
@pytest.mark.parametrize(("points", "succeeds"), ((14, False), (15, True), (16, True)))
def test_a_booklet_bet_succeeds_with_at_least_as_many_points(points: int, *, succeeds: bool) -> None:
    finished = replace(PLAIN, bets=(None, None, 15))
    assert bet_succeeds(table("booklet"), finished, seat=2, points=points) is succeeds


@pytest.mark.clause("booklet.scoring.bet-on-points", "common.scoring.bet-won")
def test_several_booklet_bets_may_succeed_in_one_round() -> None:
    finished = replace(PLAIN, bets=(30, 15, 5))
    assert bets(table("booklet"), finished, (40, 20, 5)) == (30, 15, 5)


@pytest.mark.clause("common.scoring.bet-lost")
def test_a_lost_booklet_bet_is_never_paid_to_its_bettor() -> None:
    finished = replace(PLAIN, bets=(30, 15, None), out=(0, 1))
    assert bets(table("booklet"), finished, (26, 15, 9)) == (0, 15, 30)


def test_a_booklet_bet_lost_by_the_first_out_against_a_bettor_is_paid_to_nobody() -> None:
    finished = replace(PLAIN_OF_TWO, bets=(30, 15), out=(0,))
    assert bets(table("booklet", 2), finished, (29, 15)) == (0, 15)


@pytest.mark.clause("revised.scoring.thirds", "revised.scoring.thirds-example-bettors-out")
def test_in_thirds_the_first_out_scores_their_bet_and_two_thirds_of_the_others() -> None:
    assert paid(table("revised", bet_split="thirds"), (15, 15, None), out=(0, 1)) == (25, 5, 0)


@pytest.mark.clause("revised.scoring.thirds", "revised.scoring.thirds-example-other-first")
def test_in_thirds_a_first_out_without_a_bet_scores_two_thirds_of_both() -> None:
    assert paid(table("revised", bet_split="thirds"), (15, 15, None), out=(2, 1)) == (0, 10, 20)


@pytest.mark.clause("revised.scoring.thirds")
def test_in_thirds_the_last_player_scores_nothing_even_without_a_bet() -> None:
    assert paid(table("revised", bet_split="thirds"), (30, 30, 0), out=(1, 0)) == (10, 50, 0)


@pytest.mark.clause("revised.scoring.thirds")
@pytest.mark.parametrize("out", list(permutations(range(3), 2)))
def test_bets_in_thirds_are_paid_out_completely(out: tuple[int, int]) -> None:
    for placed in product((0, 15, 30), repeat=3):
        assert sum(pay_in_thirds(placed, out=out)) == sum(placed)


@pytest.mark.clause("revised.scoring.shepherd-takes-all-bets", "revised.scoring.sheep-without-bet")
@pytest.mark.parametrize("first_out", range(3))
def test_both_texts_pay_the_same_bets(first_out: int) -> None:
    """First out: the sum of all bets. A sheep without a bet: what the other sheep bet."""
    for placed in THREE_BETS:
        others = sum(placed) - placed[first_out]
        as_revised = tuple(
            sum(placed) if seat == first_out else others * (placed[seat] == 0) for seat in range(3)
        )
        succeeded = [seat == first_out for seat in range(3)]
        assert pay_in_full(placed, succeeded=succeeded, first_out=first_out) == as_revised


@pytest.mark.clause("common.scoring.bet-lost")
def test_lost_bets_are_paid_once_to_each_collector_and_never_to_the_bettor() -> None:
    for placed, bettor, first_out in product(THREE_BETS, range(3), range(3)):
        takers = collectors(placed, bettor=bettor, first_out=first_out)
        assert bettor not in takers
        assert len(set(takers)) == len(takers)
