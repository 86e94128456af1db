"""`manage.py migrate`, which may take its time with a statement, though not with waiting for a lock."""

from django.core.management.commands import migrate

from games.management.base import LongRunningCommand


class Command(LongRunningCommand, migrate.Command):
    """Django's own, without the limit on statements: an index of a large table takes minutes."""
