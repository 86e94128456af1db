"""What tests of the rules may say about themselves."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known that names the clauses of the rule texts a test shows."""
    config.addinivalue_line(
        "markers", "clause(*names): shows these clauses of the published rules (tests/engine/clauses)"
    )
