"""What the clock does when what it sends to is away, and what it shows while it works."""

from datetime import timedelta
from pathlib import Path

import pytest
from celery import current_app
from celery.schedules import schedule
from kombu.exceptions import OperationalError

from haggis_service import liveness
from haggis_service.liveness import LivenessScheduler


def test_a_schedule_that_cannot_be_sent_is_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(current_app.tasks["games.tasks.sweeping.sweep"], "apply_async", fail)
    clock = LivenessScheduler(current_app)
    every = schedule(timedelta(seconds=1))
    entry = clock.Entry(name="sweep", task="games.tasks.sweeping.sweep", schedule=every, app=current_app)
    clock.apply_entry(entry)
    [record] = [each for each in caplog.records if each.name == liveness.__name__]
    assert record.getMessage() == "sweep could not be sent (OperationalError)"
    assert record.exc_info is None


def test_each_look_at_the_schedule_is_a_sign_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = tmp_path / "alive"
    monkeypatch.setattr(liveness, "_FILE", str(sign))
    assert LivenessScheduler(current_app, schedule={}).tick() > 0
    assert sign.exists()
