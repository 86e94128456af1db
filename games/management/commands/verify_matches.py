"""`manage.py verify_matches`: whether everything stored is as the logs say."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.management.base import LongRunningCommand
from games.records.verification import Difference, verify_matches


class Command(LongRunningCommand):
    """Fold matches again and compare; exits with 1 at the first difference."""

    help = "Fold every stored match again from its log, and compare it with what is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One match, or all."""
        parser.add_argument("--match", help="the id of one match (all)")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Verify."""
        try:
            counts = verify_matches(match_id=options["match"])
        except Difference as difference:
            raise CommandError(f"Not as the log says: {difference}") from None
        self.stdout.write(
            f"{counts.matches} matches, {counts.rounds} rounds, {counts.events} events: all as the logs say."
        )
