"""Whether this service sends push messages: it has a key to sign with, and the packages that encrypt."""

from functools import cache
from importlib.util import find_spec
from typing import Final

from django.conf import settings

from games.errors import Problem

PACKAGES: Final = ("pywebpush", "py_vapid")


def is_offered() -> bool:
    """Whether anything is sent."""
    return bool(settings.HAGGIS_PUSH_KEY) and packages_are_there()


@cache
def packages_are_there() -> bool:
    """Whether what requirements-push.in names is installed."""
    return all(find_spec(name) is not None for name in PACKAGES)


def refuse_unless_offered() -> None:
    """Say that nothing is sent."""
    if not is_offered():
        raise Problem("push_not_offered")
