"""Streams that look after themselves quickly, so that tests need not wait as clients do."""

import pytest

from games.realtime import hub, streams


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look and beat often."""
    monkeypatch.setattr(hub, "CHECK_INTERVAL_SECONDS", 0.1)
    monkeypatch.setattr(hub, "HEARTBEAT_INTERVAL_SECONDS", 0.05)
    monkeypatch.setattr(streams, "HEARTBEAT_AFTER_SECONDS", 0.2)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never look: what comes then came by news alone."""
    monkeypatch.setattr(hub, "CHECK_INTERVAL_SECONDS", 3600.0)
