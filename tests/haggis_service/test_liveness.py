"""The scheduler touches its liveness file, and logs one line while the broker is unavailable."""

from datetime import timedelta
from pathlib import Path

import pytest
from celery import current_app
from celery.schedules import schedule
from kombu.exceptions import OperationalError

from games.sweep.tasks import sweep
from haggis_service import liveness
from haggis_service.liveness import LivenessScheduler


def test_entry_that_cannot_be_sent_logs_one_line_without_traceback(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(sweep, "apply_async", fail)
    clock = LivenessScheduler(current_app)
    interval = schedule(timedelta(seconds=1))
    entry = clock.Entry(name="sweep", task="games.tasks.sweeping.sweep", schedule=interval, app=current_app)
    clock.apply_entry(entry)
    [record] = [each for each in caplog.records if each.name == liveness.__name__]
    assert record.getMessage() == "could not send sweep: the broker is unavailable (OperationalError)"
    assert record.exc_info is None


def test_tick_touches_the_liveness_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    liveness_file = tmp_path / "alive"
    monkeypatch.setattr(liveness, "_FILE", str(liveness_file))
    assert LivenessScheduler(current_app, schedule={}).tick() > 0
    assert liveness_file.exists()
