"""Clear the cached counts, because each test has its own database."""

import pytest

from games.operators import queries as operators_queries


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    clear_cached_counts()


def clear_cached_counts() -> None:
    """Clear the cached counts, as if they had expired."""
    operators_queries.matches_by_status.clear()
    operators_queries.sign_ups_by_day.clear()
