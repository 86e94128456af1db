"""The Django project: settings, addresses, and the doors for web servers and workers."""

from haggis_service.celery import app as celery_app
from haggis_service.malloc_settings import use_one_arena

__all__ = ["celery_app"]

# Every process comes by here, before it starts a thread.
use_one_arena()
