"""Create matches with a turn time of an hour: `python -m tests.chaos.create_timed_matches 600`."""

import sys

import django


def create_matches(matches: int) -> None:
    """Create matches between the same two players."""
    from tests.support.factories import make_player, start_match  # noqa: PLC0415 -- needs a configured Django

    players = make_player("early"), make_player("late")
    for _ in range(matches):
        start_match(*players, turn_seconds=3600)


if __name__ == "__main__":
    django.setup()
    create_matches(int(sys.argv[1]))
