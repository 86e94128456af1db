"""`manage.py appoint NAME --role operator`: who may help to run the service, said on the machine itself."""

from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.core.errors import Problem
from games.identity.queries import find_player
from games.operators.services import Role, appoint, dismiss


class Command(BaseCommand):
    """Give a player a role in the admin, or take it away."""

    help = "Let a registered player into the admin as operator or moderator, or out of it again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Who, as what, why."""
        parser.add_argument("username")
        parser.add_argument("--role", choices=list(Role), default=Role.OPERATOR)
        parser.add_argument("--dismiss", action="store_true", help="take the role away")
        parser.add_argument("--reason", default="", help="kept with the deed")

    def handle(self, *_: object, **options: Any) -> None:  # noqa: ANN401 -- as Django calls it
        """Do it, and say so."""
        player = find_player(options["username"])
        if player is None:
            raise CommandError(f"There is no player called {options['username']}.")
        reason = options["reason"] or f"by {getuser()}, at the command line"
        try:
            if options["dismiss"]:
                dismiss(player=player, reason=reason)
                self.stdout.write(f"{player.username} has no role any more.")
            else:
                appoint(player=player, role=Role(options["role"]), reason=reason)
                self.stdout.write(f"{player.username} is {options['role']} now: log in at the admin.")
        except Problem as refused:
            raise CommandError(refused.detail) from refused
