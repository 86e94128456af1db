import re

import pytest

from engine.ai.interface import DEFAULT_BUDGET, Budget


def test_a_budget_has_simulations_or_milliseconds_or_neither() -> None:
    assert (DEFAULT_BUDGET.simulations, DEFAULT_BUDGET.milliseconds) == (None, None)
    assert Budget(simulations=100).simulations == 100
    assert Budget(milliseconds=50, clock=lambda: 0.0).milliseconds == 50


def test_a_budget_with_simulations_and_milliseconds_is_rejected() -> None:
    with pytest.raises(ValueError, match="not both"):
        Budget(simulations=100, milliseconds=50, clock=lambda: 0.0)


def test_milliseconds_require_a_clock_and_a_clock_requires_milliseconds() -> None:
    said = re.escape("Milliseconds are measured by a clock")
    with pytest.raises(ValueError, match=said):
        Budget(milliseconds=50)
    with pytest.raises(ValueError, match=said):
        Budget(clock=lambda: 0.0)


@pytest.mark.parametrize("simulations", (0, -1))
def test_a_budget_of_zero_or_less_is_rejected(simulations: int) -> None:
    with pytest.raises(ValueError, match="more than nothing"):
        Budget(simulations=simulations)
    with pytest.raises(ValueError, match="more than nothing"):
        Budget(milliseconds=simulations, clock=lambda: 0.0)
