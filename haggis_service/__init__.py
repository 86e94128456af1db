"""The Django project: settings, URLs, and the entry points of web servers and workers."""

from haggis_service.celery import app as celery_app
from haggis_service.malloc_settings import use_one_arena

__all__ = ["celery_app"]

# Every process imports this package before it starts a thread.
use_one_arena()
