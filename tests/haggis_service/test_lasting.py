"""What a process has loaded is not gone through again."""

import gc
from collections.abc import Iterator

import pytest
from celery import signals

from haggis_service import celery


@pytest.fixture
def nothing_is_set_aside() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("nothing_is_set_aside")
def test_a_worker_sets_aside_what_is_loaded_before_it_makes_a_process() -> None:
    assert not gc.get_freeze_count()
    signals.worker_before_create_process.send(sender=celery.app)
    assert gc.get_freeze_count() > len(gc.get_objects())
