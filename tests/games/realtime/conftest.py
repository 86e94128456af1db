"""Fixtures that set the intervals of streams, so that tests need not wait."""

import pytest

from games.realtime import hub, streams


@pytest.fixture
def frequent_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run checks and heartbeats often."""
    monkeypatch.setattr(hub, "CHECK_INTERVAL_SECONDS", 0.1)
    monkeypatch.setattr(hub, "HEARTBEAT_INTERVAL_SECONDS", 0.05)
    monkeypatch.setattr(streams, "HEARTBEAT_AFTER_SECONDS", 0.2)


@pytest.fixture
def no_periodic_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the periodic check, so that changes arrive by messages alone."""
    monkeypatch.setattr(hub, "CHECK_INTERVAL_SECONDS", 3600.0)
