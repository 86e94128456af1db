"""What may stand in an address. Anything else leads nowhere, so that no view and no database ever sees it."""

from functools import cache

from django.urls import register_converter

from games.models.player import USERNAME_PATTERN


class UsernameConverter:
    """What can be a name."""

    regex = USERNAME_PATTERN

    def to_python(self, value: str) -> str:
        """Take it as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Write it as it is."""
        return value


class IdConverter(UsernameConverter):
    """What can be an id: opaque to clients, and short."""

    regex = "[A-Za-z0-9_-]{1,40}"


class SmallConverter:
    """A number that fits whatever it is compared with, written in one way."""

    regex = "(?:0|[1-9][0-9]{0,5})"

    def to_python(self, value: str) -> int:
        """Read it."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Write it."""
        return str(value)


@cache  # the framework refuses the second time
def register() -> None:
    """Make `<username:...>`, `<id:...>` and `<small:...>` known to routes."""
    register_converter(SmallConverter, "small")
    register_converter(UsernameConverter, "username")
    register_converter(IdConverter, "id")
