"""`manage.py migrate`, without a statement timeout but with the usual lock timeout."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DatabaseError, connections

from games.management.base import LongRunningCommand


class Command(LongRunningCommand, migrate.Command):
    """Django's command without a statement timeout, since indexing a large table takes minutes."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the role of the service to Django's arguments."""
        super().add_arguments(parser)
        parser.add_argument(
            "--service-role",
            metavar="ROLE",
            help="afterwards grant this PostgreSQL role what the service needs, and nothing else",
        )
        parser.add_argument(
            "--service-role-password-file",
            metavar="FILE",
            type=Path,
            help="create the role, or set its password, from this file",
        )

    def handle(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Migrate, then grant the privileges."""
        role, password_file = (
            options.pop("service_role", None),
            options.pop("service_role_password_file", None),
        )
        connection = connections[options["database"]]
        if role and connection.vendor != "postgresql":
            raise CommandError("--service-role needs PostgreSQL: SQLite has no roles.")
        super().handle(*arguments, **options)
        if role:
            _grant(self, connection.alias, role, password_file)


def _grant(command: Command, database: str, role: str, password_file: Path | None) -> None:
    # Imported here, since only PostgreSQL needs its driver.
    from haggis_service.postgresql.service_role import UnsuitableRole, grant_service_role  # noqa: PLC0415

    try:
        grant_service_role(connections[database], role, password_file)
    except (UnsuitableRole, OSError, DatabaseError) as error:
        raise CommandError(str(error)) from error
    command.stdout.write(f"The role {role} has the privileges of the service.")
