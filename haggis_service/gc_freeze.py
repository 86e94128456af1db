"""What a process has loaded before it begins to work: it stays as long as the process does.

Python's collector of cycles goes through all that there is whenever much was made anew, as by a sweep, which
holds hundreds of matches at once: among some hundred thousand objects of the code and its libraries that was
a fifth of the CPU time of a sweep. And it goes through everything only when a quarter as much was made anew:
until then a web server kept whatever its requests had left in cycles, tens of thousands of objects.
"""

import gc
from importlib import import_module

from celery import signals
from django.conf import settings


def load_url_patterns() -> None:
    """Load what a web server would load with its first request: the addresses, and with them every view."""
    import_module(settings.ROOT_URLCONF)


def freeze_loaded_objects(**_: object) -> None:
    """Have the collector pass over everything that is there now."""
    gc.collect()
    gc.freeze()


def freeze_in_workers() -> None:
    """Have a worker do so before it makes its processes; they also go on sharing that memory then."""
    signals.worker_before_create_process.connect(freeze_loaded_objects, dispatch_uid="haggis")
