"""Store matches, most of them active: `python -m tests.chaos.fill_database 300`.

It runs in a process of its own, on the database of its environment variables.
"""

import sys
from itertools import count

import django
from django.db import transaction

FINISHED_EVERY = 25
# Matches per transaction, to wait for the disk less often.
BATCH_SIZE = 250


def fill(matches: int) -> None:
    """Create matches: every 25th is played to its end by AIs, the others wait for their players."""
    from tests.support.factories import make_player  # noqa: PLC0415 -- needs a configured Django

    players = [make_player(f"filler-{number}") for number in range(3)]
    for first in range(0, matches, BATCH_SIZE):
        with transaction.atomic():
            for number in range(first, min(first + BATCH_SIZE, matches)):
                create_match(number, players)


def create_match(number: int, players: list) -> None:  # type: ignore[type-arg]  # models cannot be imported here
    """Create one match."""
    from games.ai.services import take_turn  # noqa: PLC0415
    from games.matches.models.match import Match, MatchStatus  # noqa: PLC0415 -- needs a configured Django
    from tests.support.factories import start_match  # noqa: PLC0415

    if number % FINISHED_EVERY:
        start_match(*players[: 2 + number % 2])
        return
    match = start_match("easy", "easy", rounds=1)
    for version in count(1):
        if not take_turn(match_id=match.pk, version=version):
            break
    assert Match.objects.get(pk=match.pk).status == MatchStatus.FINISHED


if __name__ == "__main__":
    django.setup()
    fill(int(sys.argv[1]))
