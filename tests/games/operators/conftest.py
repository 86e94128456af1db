"""Counts are kept for a while; each test here has a database of its own."""

import pytest

from games.operators import queries as operators_queries


@pytest.fixture(autouse=True)
def _counted_anew() -> None:
    count_anew()


def count_anew() -> None:
    """Forget what was counted, as if a minute had passed."""
    operators_queries.matches_by_status.forget()
    operators_queries.sign_ups_by_day.forget()
