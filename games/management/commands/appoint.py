"""`manage.py appoint NAME --role operator`: give players access to the admin."""

from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.core.errors import Problem
from games.identity.queries import find_player
from games.operators.services import Role, appoint, dismiss


class Command(BaseCommand):
    """Grant a player a role in the admin, or revoke it."""

    help = "Grant a registered player access to the admin as operator or moderator, or revoke it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the player, the role and the reason."""
        parser.add_argument("username")
        parser.add_argument("--role", choices=list(Role), default=Role.OPERATOR)
        parser.add_argument("--dismiss", action="store_true", help="revoke the role")
        parser.add_argument("--reason", default="", help="the reason to record in the audit log")

    def handle(self, *_: object, **options: Any) -> None:  # noqa: ANN401 -- as Django calls it
        """Change the role and report it."""
        player = find_player(options["username"])
        if player is None:
            raise CommandError(f"There is no player called {options['username']}.")
        reason = options["reason"] or f"by {getuser()}, at the command line"
        try:
            if options["dismiss"]:
                dismiss(player=player, reason=reason)
                self.stdout.write(f"{player.username} no longer has a role.")
            else:
                appoint(player=player, role=Role(options["role"]), reason=reason)
                self.stdout.write(f"{player.username} is {options['role']} now. Log in at /admin/.")
        except Problem as refused:
            raise CommandError(refused.detail) from refused
