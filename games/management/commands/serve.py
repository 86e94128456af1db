"""`manage.py serve`: the whole product in one process, on SQLite, for one desk."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from haggis_service.celery import app
from haggis_service.serving.embedded_worker import run_worker_and_beat
from haggis_service.serving.server import HOST, PortInUse, listen, serve
from haggis_service.serving.startup_message import startup_message


class Command(BaseCommand):
    """Migrate, serve, and work, until it is interrupted."""

    help = "Serve everything in one process: the API, the AI players and the clock."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where it listens, and where its data is."""
        parser.add_argument("--port", type=int, default=8000, help="the port on this machine (8000)")
        parser.add_argument("--data", default="var", help="the folder of the database and its secrets (var)")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Serve."""
        site = f"http://{HOST}:{options['port']}"
        _begin_again_unless_set(HAGGIS_DATA=str(Path(options["data"]).resolve()), HAGGIS_SITE_ADDRESS=site)
        try:
            listening = listen(options["port"])
        except PortInUse as taken:
            raise CommandError(f"{taken} Name another one: make run PORT=8123") from taken
        call_command("migrate", interactive=False, verbosity=0)
        with listening, run_worker_and_beat(app):
            serve(listening, ready=lambda: self._greet(site))

    def _greet(self, site: str) -> None:
        self.stdout.write(startup_message(site))
        self.stdout.flush()


def _begin_again_unless_set(**wanted: str) -> None:
    """Have the settings read what was asked for: they were read before the command line was.

    A product that runs shows no debugging pages, so that is off too, unless somebody wants it.
    """
    wanted = {"DEBUG": os.environ.get("DEBUG", "false"), **wanted}
    if all(os.environ.get(name) == value for name, value in wanted.items()):
        return
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | wanted)  # noqa: S606 -- ourselves
