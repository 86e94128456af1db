"""`manage.py events`: run the process for event streams and long polls, behind a reverse proxy."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from haggis_service.serving.server import HOST, PortInUse, listen, serve


class Command(BaseCommand):
    """Serve until terminated, then close all streams gracefully."""

    help = "Serve event streams and long polls. It can serve all other requests, too, but more slowly."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the address and port to listen on."""
        parser.add_argument("--host", default=HOST, help=f"the address to listen on (default: {HOST})")
        parser.add_argument("--port", type=int, default=8001, help="the port to listen on (default: 8001)")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Listen and serve."""
        try:
            listening = listen(options["port"], options["host"])
        except PortInUse as error:
            raise CommandError(str(error)) from error
        with listening:
            serve(listening)
