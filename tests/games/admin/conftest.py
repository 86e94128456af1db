"""Counts are kept for a while; each test here has a database of its own."""

import pytest

from games.selectors import oversight


@pytest.fixture(autouse=True)
def _counted_anew() -> None:
    count_anew()


def count_anew() -> None:
    """Forget what was counted, as if a minute had passed."""
    oversight.matches_by_status.forget()
    oversight.sign_ups_by_day.forget()
