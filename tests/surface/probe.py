"""Print the settings and tasks of a process as JSON, and write a log line of a request and of a task.

The tests run this in a subprocess: `DJANGO_SETTINGS_MODULE=... python -m tests.surface.probe`.
"""

import json
import re
import sys
from typing import Any, Final

import django
from celery import current_app
from django.conf import global_settings, settings
from django.test import Client

_PREFIXES: Final = ("HAGGIS_", "CELERY_", "CORS_", "CONTENT_SECURITY_", "REST_KNOX", "WHITENOISE_")
# Secrets, and lists of code, which may move.
_EXCLUDED: Final = frozenset({"INSTALLED_APPS", "MIDDLEWARE", "SECRET_KEY", "STATICFILES_DIRS", "TEMPLATES"})
# The task fails because there are no tables, but its end is logged.
_SAMPLE_TASK: Final = "games.tasks.turns.take_turns"
_TASK_SETTINGS: Final = frozenset({"CELERY_BEAT_SCHEDULE", "CELERY_TASK_ROUTES"})
_CODE: Final = re.compile(r"(games|haggis_service)(\.\w+)+(:\w+)?")


def configured() -> dict[str, Any]:
    """Return the settings that differ from Django's defaults."""
    return {
        name: value if name in _TASK_SETTINGS else without_code(value)
        for name in dir(settings)
        if name.isupper() and (name.startswith(_PREFIXES) or hasattr(global_settings, name))
        if name not in _EXCLUDED
        if (value := getattr(settings, name)) != getattr(global_settings, name, None)
    }


def without_code(value: Any) -> Any:
    """Replace dotted paths of the project, which may change."""
    if isinstance(value, dict):
        return {key: without_code(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_code(each) for each in value]
    return "<code>" if isinstance(value, str) and _CODE.fullmatch(value) else value


def tasks() -> dict[str, str]:
    """Return the names of all tasks with their queues."""
    current_app.loader.import_default_modules()
    names = [name for name in current_app.tasks if not name.startswith("celery.")]
    return {name: current_app.amqp.router.route({}, name)["queue"].name for name in names}


def main() -> None:
    """Serve a request, run a task and print the report."""
    django.setup()
    Client(headers={"X-Request-ID": "a-request-id"}).get("/healthz")
    report = {"settings": configured(), "tasks": tasks()}
    current_app.tasks[_SAMPLE_TASK].apply(("m_1", 1))
    sys.stdout.write(json.dumps(report, default=str))


if __name__ == "__main__":
    main()
