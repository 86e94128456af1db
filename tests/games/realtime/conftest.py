"""Streams that look after themselves quickly, so that tests need not wait as clients do."""

import pytest

from games.realtime import hub, streams


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look and beat often."""
    monkeypatch.setattr(hub, "SECONDS_BETWEEN_LOOKS", 0.1)
    monkeypatch.setattr(hub, "SECONDS_BETWEEN_BEATS", 0.05)
    monkeypatch.setattr(streams, "SECONDS_OF_SILENCE", 0.2)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never look: what comes then came by news alone."""
    monkeypatch.setattr(hub, "SECONDS_BETWEEN_LOOKS", 3600.0)
