"""A process that records security events of a player, each with a notice, to be killed by tests."""

import os
import sys

import django
from django.db import transaction


def record_for_ever(player_id: int) -> None:
    """Record events in a loop, each in a transaction with its notice and its delivery."""
    # Services import models, which need a configured Django.
    from games.accounts.models import SecurityEventKind  # noqa: PLC0415
    from games.accounts.services.security import record_security_event  # noqa: PLC0415
    from games.identity.models import Player  # noqa: PLC0415

    player = Player.objects.get(pk=player_id)
    while True:
        with transaction.atomic():
            record_security_event(player=player, kind=SecurityEventKind.EMAIL_CHANGED, email="")


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 -- sys.path holds strings
    django.setup()
    record_for_ever(int(sys.argv[1]))
