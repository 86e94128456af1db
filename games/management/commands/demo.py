"""`manage.py demo`: a server with matches to look at."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.demo import make_demo


class Command(BaseCommand):
    """Make matches through the services that clients use, and say what was made."""

    help = (
        "Fill the server with matches: some played out by AIs, some running with guests, some in the lobby."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many, and drawn how."""
        parser.add_argument("--matches", type=int, default=12, help="how many (12)")
        parser.add_argument(
            "--seed", type=int, help="the same tables in every run; cards and moves differ all the same"
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Make them."""
        if options["matches"] < 1:
            raise CommandError("At least one match is made.")
        for made in make_demo(matches=options["matches"], seed=options["seed"]):
            seats = ", ".join(made.seats)
            points = "-".join(str(total) for total in made.totals) or "no points yet"
            self.stdout.write(f"{made.match_id}  {made.status:8}  {made.ruleset:8}  {seats}  {points}")
