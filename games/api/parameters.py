"""What stands in the address after the question mark: unknown is ignored, unreadable is refused."""

import re
from collections.abc import Collection
from typing import Final

from django.http import HttpRequest
from rest_framework.request import Request

from games.errors import Problem

_INTEGER: Final = re.compile(r"\A-?[0-9]{1,15}\Z", re.ASCII)
_LONGEST: Final = 500


def text_parameter(request: Request | HttpRequest, name: str) -> str | None:
    """The parameter as text, None where it is not given; the last one counts."""
    value = request.GET.get(name)
    if value is None:
        return None
    if len(value) > _LONGEST or not value.isprintable():
        raise unreadable(name)
    return value


def integer_parameter(
    request: Request | HttpRequest, name: str, *, smallest: int, largest: int
) -> int | None:
    """The parameter as an integer within its bounds."""
    value = text_parameter(request, name)
    return None if value is None else whole_number(value, name, smallest=smallest, largest=largest)


def whole_number(text: str, name: str, *, smallest: int, largest: int) -> int:
    """A number as it came, under whatever name, within its bounds."""
    if not _INTEGER.match(text) or not smallest <= int(text) <= largest:
        raise unreadable(name, f"{name} is a whole number from {smallest} to {largest}.")
    return int(text)


def choice_parameter(request: Request | HttpRequest, name: str, choices: Collection[str]) -> str | None:
    """The parameter as one of the values that are known."""
    value = text_parameter(request, name)
    if value is not None and value not in choices:
        raise unreadable(name, f"{name} is one of {', '.join(sorted(choices))}.")
    return value


def flag_parameter(request: Request | HttpRequest, name: str) -> bool | None:
    """The parameter as `true` or `false`."""
    value = choice_parameter(request, name, ("true", "false"))
    return None if value is None else value == "true"


def unreadable(name: str, detail: str = "") -> Problem:
    """The refusal of a parameter."""
    return Problem("invalid_parameter", detail or f"{name} cannot be read.", parameter=name)
