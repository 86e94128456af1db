"""The Celery app, for `celery -A haggis_service worker` and `celery -A haggis_service beat`.

It uses the production settings unless DJANGO_SETTINGS_MODULE says otherwise.
"""

import os

from celery import Celery

from haggis_service.gc_freeze import freeze_in_workers
from haggis_service.liveness import touch_on_heartbeat
from haggis_service.task_delivery import limit_revoked_tasks
from haggis_service.telemetry.tasks import connect_task_logging
from haggis_service.telemetry.uncaught import log_uncaught_errors

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

app = Celery("haggis", task_cls="haggis_service.task_delivery:Task", amqp="haggis_service.task_delivery:Amqp")
# The default app of every thread, not only of the importing one.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
connect_task_logging()
log_uncaught_errors()
touch_on_heartbeat()
freeze_in_workers()
limit_revoked_tasks()
