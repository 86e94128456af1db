#!/usr/bin/env python3
"""The command line of the service: `python manage.py <command>`."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run one management command, with the settings for development unless the environment names others."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.development")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
