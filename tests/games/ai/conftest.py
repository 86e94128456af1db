"""Fixtures of analyses."""

import pytest


@pytest.fixture
def fast_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyse with minimal effort, for tests in which the results do not matter."""
    monkeypatch.setattr("engine.ai.analysis.SEARCHED", 8)
    monkeypatch.setattr("engine.ai.analysis.COMPARED", 4)
