"""`manage.py events`: the process for streams and long polls, behind a proxy that sends it nothing else."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from haggis_service.serving.server import HOST, PortInUse, listen, serve


class Command(BaseCommand):
    """Serve until it is told to end; then end every stream in good order."""

    help = "Serve event streams and requests that wait. It answers everything else too, only more slowly."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where it listens."""
        parser.add_argument("--host", default=HOST, help=f"the address that it listens at ({HOST})")
        parser.add_argument("--port", type=int, default=8001, help="the port (8001)")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Serve."""
        try:
            listening = listen(options["port"], options["host"])
        except PortInUse as taken:
            raise CommandError(str(taken)) from taken
        with listening:
            serve(listening)
