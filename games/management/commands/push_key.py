"""`manage.py push_key`: a key to sign push messages with, made once and then kept."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.matches.outbox import push_packages_are_installed
from games.notifications.encryption import new_key


class Command(BaseCommand):
    """Make a key."""

    help = "Print a new key for push messages, for the environment. Another key ends every subscription."
    requires_system_checks = ()

    def handle(self, *_: object, **__: Any) -> None:  # noqa: ANN401 -- as Django calls it
        """Print it; nothing is kept."""
        if not push_packages_are_installed():
            raise CommandError("Install what requirements-push.lock names first.")
        private, _public = new_key()
        self.stdout.write(f"HAGGIS_PUSH_KEY={private}")
