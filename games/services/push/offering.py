"""Refusing requests about push messages where this service sends none."""

from games.errors import Problem
from games.matches.outbox import push_is_offered


def refuse_unless_offered() -> None:
    """Refuse unless this service sends push messages."""
    if not push_is_offered():
        raise Problem("push_not_offered")
