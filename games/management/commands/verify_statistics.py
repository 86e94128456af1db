"""`manage.py verify_statistics`: compare the statistics of players with the logs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.management.base import LongRunningCommand
from games.statistics.verification import StatisticsDifference, verify_statistics


class Command(LongRunningCommand):
    """Recount the statistics and compare; exit with 1 at the first difference."""

    help = "Recount the statistics of all players from the logs and compare them with what is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the option that replaces statistics."""
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="count matches that are waiting, and replace statistics that differ by the recount",
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Recount the statistics and report the counts."""
        try:
            result = verify_statistics(rebuild=options["rebuild"])
        except StatisticsDifference as difference:
            raise CommandError(f"Statistics differ from the log: {difference}.") from None
        outcome = f"{result.replaced} replaced" if options["rebuild"] else "no differences"
        self.stdout.write(f"{result.matches} matches, {result.players} players: {outcome}.")
