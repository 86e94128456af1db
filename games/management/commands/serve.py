"""`manage.py serve`: run everything in one process on SQLite, for local use."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from haggis_service.celery import app
from haggis_service.serving.embedded_worker import run_worker_and_beat
from haggis_service.serving.server import HOST, PortInUse, listen, serve
from haggis_service.serving.startup_message import startup_message


class Command(BaseCommand):
    """Migrate, then run the server, the worker and the scheduler until interrupted."""

    help = "Serve everything in one process: the API, the AI players and the clock."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the port and the data folder."""
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: 8000)")
        parser.add_argument(
            "--data", default="var", help="the folder for the database and its secrets (default: var)"
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Start all parts and serve."""
        site = f"http://{HOST}:{options['port']}"
        _restart_unless_set(HAGGIS_DATA=str(Path(options["data"]).resolve()), HAGGIS_SITE_ADDRESS=site)
        try:
            listening = listen(options["port"])
        except PortInUse as error:
            raise CommandError(
                f"{error} Choose another one: serve --port 8123 (make run PORT=8123)"
            ) from error
        call_command("migrate", interactive=False, verbosity=0)
        with listening, run_worker_and_beat(app):
            serve(listening, ready=lambda: self._print_startup_message(site))

    def _print_startup_message(self, site: str) -> None:
        has_docs = (settings.HAGGIS_DOCS_ROOT / "index.html").is_file()
        self.stdout.write(startup_message(site, has_docs=has_docs))
        self.stdout.flush()


def _restart_unless_set(**variables: str) -> None:
    """Restart the process with these environment variables, unless they are set already.

    The settings have been read before the command line was parsed, so they have to be read again. `DEBUG` is
    off unless it is set explicitly.
    """
    variables = {"DEBUG": os.environ.get("DEBUG", "false"), **variables}
    if all(os.environ.get(name) == value for name, value in variables.items()):
        return
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | variables)  # noqa: S606 -- same command
