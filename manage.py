#!/usr/bin/env python3
"""The command line of the service: `python manage.py <command>`."""

import os
import sys

from django.core.management import execute_from_command_line

# Processes of a deployment: like WSGI, ASGI and Celery, they use the production settings by default.
DEPLOYED = frozenset({"events"})


def main() -> None:
    """Run one management command; unless the environment names its settings, with those for development."""
    settings = "production" if DEPLOYED.intersection(sys.argv[1:2]) else "development"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", f"haggis_service.settings.{settings}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
