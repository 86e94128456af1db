"""Query parameters and keyset pagination."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypedDict, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from games.core.errors import Problem
from games.core.languages import Text, message

_INTEGER: Final = re.compile(r"\A-?[0-9]{1,15}\Z", re.ASCII)
_MAX_LENGTH: Final = 500
_MAX_LIST_VALUE_LENGTH: Final = 60


def text_parameter(request: Request | HttpRequest, name: str) -> str | None:
    """Return the last value of a query parameter, or None if it is absent."""
    value = request.GET.get(name)
    if value is None:
        return None
    if len(value) > _MAX_LENGTH or not value.isprintable():
        raise invalid_parameter(name)
    return value


def integer_parameter(
    request: Request | HttpRequest, name: str, *, smallest: int, largest: int
) -> int | None:
    """Return a query parameter as an integer within its bounds."""
    value = text_parameter(request, name)
    return None if value is None else parse_integer(value, name, smallest=smallest, largest=largest)


def parse_integer(text: str, name: str, *, smallest: int, largest: int) -> int:
    """Parse an integer within its bounds; `name` is the parameter that an error names."""
    if not _INTEGER.match(text) or not smallest <= int(text) <= largest:
        raise invalid_parameter(
            name,
            message(
                "{name} is a whole number from {least} to {most}.", name=name, least=smallest, most=largest
            ),
        )
    return int(text)


def choice_parameter(request: Request | HttpRequest, name: str, choices: Collection[str]) -> str | None:
    """Return a query parameter that must be one of the choices."""
    value = text_parameter(request, name)
    if value is not None and value not in choices:
        raise invalid_parameter(
            name, message("{name} is one of {choices}.", name=name, choices=", ".join(sorted(choices)))
        )
    return value


def list_parameter(
    request: Request | HttpRequest, name: str, *, most: int, choices: Collection[str] | None = None
) -> tuple[str, ...] | None:
    """Return the comma-separated values of a query parameter, each of which must be one of the choices."""
    value = request.GET.get(name)
    if value is None:
        return None
    values = tuple(value.split(","))
    if not all(map(_is_list_value, values)):
        raise invalid_parameter(name)
    if len(values) > most:
        raise invalid_parameter(name, message("{name} has at most {most} values.", name=name, most=most))
    if choices is not None and not (set(values) <= set(choices) and len(set(values)) == len(values)):
        raise invalid_parameter(
            name,
            message(
                "{name} is a list of these, separated by commas: {choices}.",
                name=name,
                choices=", ".join(sorted(choices)),
            ),
        )
    return values


def _is_list_value(text: str) -> bool:
    return 0 < len(text) <= _MAX_LIST_VALUE_LENGTH and text.isprintable()


def boolean_parameter(request: Request | HttpRequest, name: str) -> bool | None:
    """Return a query parameter that must be `true` or `false`."""
    value = choice_parameter(request, name, ("true", "false"))
    return None if value is None else value == "true"


def invalid_parameter(name: str, detail: Text = "") -> Problem:
    """Return the problem for an invalid parameter."""
    return Problem("invalid_parameter", detail or message("{name} is not valid.", name=name), parameter=name)


DEFAULT_LIMIT: Final = 20
MAX_LIMIT: Final = 100
_MAX_ID: Final = 2**63 - 1

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")
Value = datetime | int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The order of a list: a column that is never null, with its type, and a unique key as tie-breaker."""

    column: str
    value_type: type[datetime] | type[int] | type[str]
    key: str = "pk"
    key_type: type[int] | type[str] = int
    descending: bool = True


class PageBody(TypedDict, Generic[Item]):
    """A page of a list, with the URLs of the next and the previous page."""

    next: str | None
    previous: str | None
    results: Sequence[Item]


_BY_OFFSET: Final = Order(column="", value_type=int)


@dataclass(frozen=True, slots=True)
class _Cursor:
    """The row after which a page begins, or before which it ends if `back` is set."""

    back: bool
    value: Value
    key: int | str


def paginate(
    request: Request,
    rows: "QuerySet[Row]",
    *,
    order: Order,
    show: Callable[[Row], Item],
    largest: int = MAX_LIMIT,
) -> PageBody[Item]:
    """Return the page of the rows that `?limit=` and `?cursor=` select."""
    limit = page_limit(request, largest=largest)
    cursor = _cursor(request, order)
    found = list(_after_cursor(rows, order, cursor)[: limit + 1])
    more, shown = len(found) > limit, found[:limit]
    back = cursor is not None and cursor.back
    if back:
        shown.reverse()
    has_next, has_previous = (True, more) if back else (more, cursor is not None)
    return {
        "next": _page_url(request, order, shown[-1:], back=False) if has_next else None,
        "previous": _page_url(request, order, shown[:1], back=True) if has_previous else None,
        "results": [show(row) for row in shown],
    }


def paginate_list(request: Request, items: Sequence[Item]) -> PageBody[Item]:
    """Return a page of a short list in memory whose order never changes; its cursors are offsets."""
    limit = page_limit(request)
    cursor = _cursor(request, _BY_OFFSET)
    start = cursor.value if cursor is not None and isinstance(cursor.value, int) else 0
    if not 0 <= start <= len(items):
        raise invalid_parameter("cursor")
    end = start + limit
    return {
        "next": _with_cursor(request, _Cursor(back=False, value=end, key=0)) if end < len(items) else None,
        "previous": _with_cursor(request, _Cursor(back=True, value=max(0, start - limit), key=0))
        if start
        else None,
        "results": items[start:end],
    }


def validate_page_parameters(request: Request, *, order: Order = _BY_OFFSET) -> None:
    """Reject invalid page parameters, even if the response would be 304."""
    page_limit(request)
    _cursor(request, order)


def page_limit(request: Request, *, largest: int = MAX_LIMIT) -> int:
    """Return the page size."""
    return integer_parameter(request, "limit", smallest=1, largest=largest) or DEFAULT_LIMIT


def _cursor(request: Request, order: Order) -> _Cursor | None:
    text = text_parameter(request, "cursor")
    return None if text is None else _parse_cursor(text, order)


def _after_cursor(rows: "QuerySet[Row]", order: Order, cursor: _Cursor | None) -> "QuerySet[Row]":
    """Return the rows after the cursor, in its direction."""
    descending = order.descending != (cursor is not None and cursor.back)
    sign, lookup = ("-", "lt") if descending else ("", "gt")
    ordered = rows.order_by(f"{sign}{order.column}", f"{sign}{order.key}")
    if cursor is None:
        return ordered
    # The first condition is redundant, but it is the one that the database can use an index for.
    at_or_after = Q(**{f"{order.column}__{lookup}e": cursor.value})
    after = Q(**{f"{order.column}__{lookup}": cursor.value})
    tied = Q(**{order.column: cursor.value, f"{order.key}__{lookup}": cursor.key})
    return ordered.filter(at_or_after & (after | tied))


def _page_url(request: Request, order: Order, edge: Sequence[Model], *, back: bool) -> str | None:
    """Return the URL of the page beyond the first or last row of this one."""
    if not edge:
        return None
    value: Any = edge[0]
    for part in order.column.split("__"):
        value = getattr(value, part)
    return _with_cursor(request, _Cursor(back, value, getattr(edge[0], order.key)))


def _with_cursor(request: Request, cursor: _Cursor) -> str:
    return build_url(request, cursor=_format_cursor(cursor))


def build_url(request: Request, **parameters: str) -> str:
    """Return the absolute URL of this request with other parameters.

    The scheme is that of `HAGGIS_SITE_ADDRESS`, because a local stack is treated as behind TLS without it.
    """
    query = request.GET.copy()
    for name, value in parameters.items():
        query[name] = value
    scheme = urlsplit(settings.HAGGIS_SITE_ADDRESS).scheme
    return f"{scheme}://{request.get_host()}{request.path}?{query.urlencode()}"


def _format_cursor(cursor: _Cursor) -> str:
    value = cursor.value.isoformat() if isinstance(cursor.value, datetime) else cursor.value
    text = json.dumps([int(cursor.back), value, cursor.key], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _parse_cursor(text: str, order: Order) -> _Cursor:
    """Parse a cursor of this order, or raise `invalid_parameter`."""
    try:
        padded = text + "=" * (-len(text) % 4)
        back, value, key = json.loads(base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True))
        return _Cursor(bool(back), _parse_value(value, order.value_type), _parse_key(key, order.key_type))
    except (ValueError, TypeError, RecursionError, OverflowError, binascii.Error) as error:
        raise invalid_parameter("cursor") from error


def _parse_value(value: object, value_type: type) -> Value:
    if value_type is datetime and isinstance(value, str):
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return _parse_key(value, value_type)


def _parse_key(value: object, key_type: type) -> int | str:
    if key_type is int and type(value) is int and abs(value) <= _MAX_ID:
        return value
    if key_type is str and isinstance(value, str) and value.isprintable():
        return value
    raise ValueError(key_type.__name__)
