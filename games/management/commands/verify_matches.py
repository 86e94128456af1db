"""`manage.py verify_matches`: compare stored matches with their logs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.management.base import LongRunningCommand
from games.records.verification import Difference, verify_matches


class Command(LongRunningCommand):
    """Replay matches and compare; exit with 1 at the first difference."""

    help = "Replay every stored match from its log and compare the outcome with the stored data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the selection of matches."""
        parser.add_argument("--match", help="the ID of a match (default: all)")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Verify the matches and report the counts."""
        try:
            counts = verify_matches(match_id=options["match"])
        except Difference as difference:
            raise CommandError(f"Stored data differs from the log: {difference}") from None
        self.stdout.write(
            f"{counts.matches} matches, {counts.rounds} rounds, {counts.events} events: no differences."
        )
