"""The Django project: settings, addresses, and the doors for web servers and workers."""

from haggis_service.allocating import keep_one_heap
from haggis_service.celery import app as celery_app

__all__ = ["celery_app"]

# Every process comes by here, before it starts a thread.
keep_one_heap()
