"""The door for Celery's workers and clock: `celery -A haggis_service worker`, `... beat`.

A worker is production unless its environment says otherwise, as a server is.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

app = Celery("haggis")
# For every thread, not only for the one that begins here.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
