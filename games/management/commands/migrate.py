"""`manage.py migrate`, without a statement timeout but with the usual lock timeout."""

from django.core.management.commands import migrate

from games.management.base import LongRunningCommand


class Command(LongRunningCommand, migrate.Command):
    """Django's command without a statement timeout, since indexing a large table takes minutes."""
