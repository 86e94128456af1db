"""Collect the management commands, and the settings, tasks and log lines of a process."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

from tests.surface.source import ROOT

# The default of this option is the number of cores.
_MACHINE_DEPENDENT: Final = "processes"
# The log fields whose values are the same in each run.
_STABLE: Final = frozenset(
    {"event", "level", "logger", "method", "route", "status", "request_id", "state", "task", "match_id"}
)


def commands() -> dict[str, dict[str, Any]]:
    """Return the management commands of the project with their own options."""
    common = {action.dest for action in BaseCommand().create_parser("manage.py", "help")._actions}
    return {
        name: {
            " ".join(action.option_strings) or action.dest: _option(action)
            for action in load_command_class("games", name).create_parser("manage.py", name)._actions
            if action.dest not in common
        }
        for name, app in get_commands().items()
        if app == "games"
    }


def _option(action: argparse.Action) -> dict[str, Any]:
    description = {
        "default": None if action.dest == _MACHINE_DEPENDENT else action.default,
        "choices": None if action.choices is None else list(action.choices),
        "nargs": action.nargs,
        "required": action.required or None,
        "action": type(action).__name__,
        "type": getattr(action.type, "__name__", None),
    }
    return {
        name: value if isinstance(value, (int, float, list)) else str(value).replace(str(ROOT), "$ROOT")
        for name, value in description.items()
        if value is not None
    }


def probe(settings: str, data: Path) -> dict[str, Any]:
    """Run the probe with these settings; return its report, its log lines and the files that it creates."""
    variables = {
        "DJANGO_SETTINGS_MODULE": settings,
        "HAGGIS_DATA": str(data),
        "HAGGIS_SECRET_KEY": "a secret key of the tests, which is long enough for production",
        "HAGGIS_ALLOWED_HOSTS": "haggis.example,testserver",
        "DATABASE_URL": f"sqlite:///{data}/named.sqlite3",
        "REDIS_URL": "redis://:password@127.0.0.1:1/0",
    }
    if settings.endswith("development"):
        del variables["DATABASE_URL"]
    environment = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ
    } | variables
    process = subprocess.run(
        [sys.executable, "-m", "tests.surface.probe"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    report: dict[str, Any] = json.loads(
        process.stdout.replace(str(data), "$DATA").replace(str(ROOT), "$ROOT")
    )
    report["log"] = [_fields(line) for line in process.stderr.splitlines() if '"haggis.' in line]
    report["files"] = sorted(path.name for path in data.iterdir() if "sqlite3-" not in path.name)
    return report


def _fields(line: str) -> dict[str, str]:
    """Return the fields of a log line, with their values where they are the same in each run."""
    return {name: str(value) if name in _STABLE else "..." for name, value in json.loads(line).items()}
