"""The door for Celery's workers and clock: `celery -A haggis_service worker`, `... beat`.

A worker is production unless its environment says otherwise, as a server is.
"""

import os

from celery import Celery

from haggis_service.alive import touch_while_working
from haggis_service.delivery import remember_few
from haggis_service.lasting import set_aside_in_workers
from haggis_service.telemetry.tasks import account_for_tasks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

app = Celery("haggis", task_cls="haggis_service.delivery:Task", amqp="haggis_service.delivery:Amqp")
# For every thread, not only for the one that begins here.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
account_for_tasks()
touch_while_working()
set_aside_in_workers()
remember_few()
