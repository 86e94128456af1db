"""`manage.py push_key`: generate the key that signs push messages."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.matches.recipients import push_packages_are_installed
from games.notifications.encryption import new_key


class Command(BaseCommand):
    """Generate a key."""

    help = "Print a new key for push messages. Changing the key invalidates all push subscriptions."
    requires_system_checks = ()

    def handle(self, *_: object, **__: Any) -> None:  # noqa: ANN401 -- as Django calls it
        """Print the key as an environment variable; it is not stored."""
        if not push_packages_are_installed():
            raise CommandError("Install the packages in requirements-push.lock first.")
        private, _public = new_key()
        self.stdout.write(f"HAGGIS_PUSH_KEY={private}")
