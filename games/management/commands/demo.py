"""`manage.py demo`: fill a server with demo matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.demo import make_demo


class Command(BaseCommand):
    """Create matches through the services that clients use, and list them."""

    help = "Create demo matches: some finished by AIs, some running with guests, and some open in the lobby."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the number of matches and the random seed."""
        parser.add_argument("--matches", type=int, default=12, help="number of matches (default: 12)")
        parser.add_argument(
            "--seed", type=int, help="make the players and rules repeatable; cards and moves still differ"
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Create the matches."""
        if options["matches"] < 1:
            raise CommandError("--matches must be at least 1.")
        for match in make_demo(matches=options["matches"], seed=options["seed"]):
            seats = ", ".join(match.seats)
            points = "-".join(str(total) for total in match.totals) or "no points yet"
            self.stdout.write(f"{match.match_id}  {match.status:8}  {match.ruleset:8}  {seats}  {points}")
