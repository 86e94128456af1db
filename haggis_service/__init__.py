"""The Django project: settings, addresses, and the doors for web servers and workers."""

from haggis_service.celery import app as celery_app

__all__ = ["celery_app"]
