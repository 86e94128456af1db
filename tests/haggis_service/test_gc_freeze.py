"""What a process has loaded is not gone through again."""

import gc
from collections.abc import Iterator

import pytest
from celery import signals

from haggis_service import celery
from tests.haggis_service.test_startup import run

# The code of the views and its libraries comes to more than a hundred thousand objects.
MANY = 50_000


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


def test_a_web_server_sets_aside_its_views_too_before_its_first_request() -> None:
    loaded = (
        "import gc, sys, haggis_service.wsgi; print('games.api.urls' in sys.modules, gc.get_freeze_count())"
    )
    said = run("-c", loaded, DJANGO_SETTINGS_MODULE="haggis_service.settings.testing").stdout.split()
    assert said[0] == "True"
    assert int(said[1]) > MANY
