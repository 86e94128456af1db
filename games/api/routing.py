"""Path converters."""

from functools import cache

from django.urls import register_converter
from django.urls.converters import StringConverter

from games.identity.models import USERNAME_PATTERN


class UsernameConverter(StringConverter):
    """Matches a username."""

    regex = USERNAME_PATTERN


class IdConverter(StringConverter):
    """Matches an opaque id."""

    regex = "[A-Za-z0-9_-]{1,40}"


class FileNameConverter(StringConverter):
    """Matches the name of a file."""

    regex = "[a-z0-9][a-z0-9.-]{0,59}"


class SmallIntegerConverter:
    """Matches a canonical decimal number that fits into every integer column."""

    regex = "(?:0|[1-9][0-9]{0,5})"

    def to_python(self, value: str) -> int:
        """Parse the number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Format the number."""
        return str(value)


@cache  # Django rejects a second registration
def register_converters() -> None:
    """Register the path converters `<username:...>`, `<id:...>`, `<file:...>` and `<small:...>`."""
    register_converter(SmallIntegerConverter, "small")
    register_converter(UsernameConverter, "username")
    register_converter(IdConverter, "id")
    register_converter(FileNameConverter, "file")
