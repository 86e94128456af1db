"""Pytest configuration for the tests of the rules."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker for the clauses of the rule texts that a test covers."""
    config.addinivalue_line(
        "markers", "clause(*names): shows these clauses of the published rules (tests/engine/clauses)"
    )
