"""Exclude the objects that a process loads at startup from garbage collection.

A full collection visits every tracked object, including some hundred thousand of the code and its libraries,
which live as long as the process. That took a fifth of the CPU time of a sweep, which allocates hundreds of
matches. And a full collection only starts when the new objects are a quarter of the old ones: until then a
web server kept tens of thousands of objects in cycles that its requests had left.
"""

import gc
from importlib import import_module

from celery import signals
from django.conf import settings


def load_url_patterns() -> None:
    """Import the URLconf and with it every view, which a web server would import on its first request."""
    import_module(settings.ROOT_URLCONF)


def freeze_loaded_objects(**_: object) -> None:
    """Exclude all current objects from garbage collection."""
    gc.collect()
    gc.freeze()


def freeze_in_workers() -> None:
    """Freeze in a worker before it forks, so that its processes keep sharing that memory."""
    signals.worker_before_create_process.connect(freeze_loaded_objects, dispatch_uid="haggis")
