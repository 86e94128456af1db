"""Objects that a process loads at startup are excluded from garbage collection."""

import gc
from collections.abc import Iterator

import pytest
from celery import signals

from haggis_service import celery
from tests.haggis_service.test_startup import run

# The code of the views and its libraries has more than a hundred thousand objects.
MIN_FROZEN_OBJECTS = 50_000


@pytest.fixture
def nothing_is_frozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("nothing_is_frozen")
def test_worker_freezes_loaded_objects_before_it_forks() -> None:
    assert not gc.get_freeze_count()
    signals.worker_before_create_process.send(sender=celery.app)
    assert gc.get_freeze_count() > len(gc.get_objects())


def test_web_server_imports_and_freezes_its_views_at_startup() -> None:
    code = "import gc, sys, haggis_service.wsgi; print('games.urls' in sys.modules, gc.get_freeze_count())"
    output = run("-c", code, DJANGO_SETTINGS_MODULE="haggis_service.settings.testing").stdout.split()
    assert output[0] == "True"
    assert int(output[1]) > MIN_FROZEN_OBJECTS
