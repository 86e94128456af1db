"""`manage.py remove_second_factor NAME`: help a player who has lost the device and the recovery codes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.core.errors import Problem
from games.identity.queries import find_player
from games.operators.services import remove_lost_second_factor


class Command(BaseCommand):
    """Remove the second factor of a player."""

    help = "Remove the second factor of a player who has lost it, end all sessions and notify the player."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the player and the reason."""
        parser.add_argument("username")
        parser.add_argument("--reason", required=True, help="the reason to record in the audit log")

    def handle(self, *_: object, **options: Any) -> None:  # noqa: ANN401 -- as Django calls it
        """Remove the second factor and report it."""
        player = find_player(options["username"])
        if player is None:
            raise CommandError(f"There is no player called {options['username']}.")
        try:
            remove_lost_second_factor(player=player, reason=options["reason"])
        except Problem as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(f"{player.username} can log in with the password alone now.")
