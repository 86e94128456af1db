import pytest

from engine.ai.interface import DEFAULT_BUDGET, Budget
from engine.ai.search.meter import STEPS_PER_TRY, Meter


def spend(meter: Meter, plays: int, until: float = 1.0) -> int:
    """Return the total number of simulations that the meter allows for this number of plays."""
    while piece := meter.next_batch(until, plays):
        meter.count(piece * plays)
    return meter.tries


@pytest.mark.parametrize("plays", (1, 3, 8))
@pytest.mark.parametrize("simulations", (64, 400, 1000))
def test_a_budget_of_simulations_is_used_up_but_not_exceeded(simulations: int, plays: int) -> None:
    spent = spend(Meter(Budget(simulations=simulations), default_tries=1), plays)
    assert simulations - plays < spent <= simulations


def test_a_budget_too_small_for_every_play_is_not_started() -> None:
    assert spend(Meter(Budget(simulations=5), default_tries=1), 8) == 0


def test_an_empty_budget_uses_the_default_of_the_level() -> None:
    assert spend(Meter(DEFAULT_BUDGET, default_tries=200), 2) == 200


def test_a_stage_spends_its_fraction() -> None:
    assert spend(Meter(Budget(simulations=400), default_tries=1), 4, until=0.25) == 100


@pytest.mark.parametrize(("steps", "tries"), ((1, 400), (STEPS_PER_TRY, 400), (2 * STEPS_PER_TRY, 200)))
def test_tries_with_many_steps_are_fewer(steps: int, tries: int) -> None:
    meter = Meter(Budget(simulations=400), default_tries=1)
    while piece := meter.next_batch(1.0, 4):
        meter.count(piece * 4, piece * 4 * steps)
    assert meter.tries == tries


class Ticking:
    """A clock that advances by a number of milliseconds for every simulation."""

    def __init__(self, each: float) -> None:
        self.each = each
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("plays", (1, 2, 8))
@pytest.mark.parametrize("each", (0.05, 0.4, 1.0))
def test_a_time_budget_is_met_within_a_tenth(each: float, plays: int) -> None:
    clock = Ticking(each)
    meter = Meter(Budget(milliseconds=100, clock=clock), default_tries=1)
    while piece := meter.next_batch(1.0, plays):
        clock.now += piece * plays * each / 1000
        meter.count(piece * plays)
    assert 0.9 <= meter.spent <= 1.1
