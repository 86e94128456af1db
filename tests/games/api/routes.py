"""Every route of the API that there is, so that no table of tests can leave one out."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")

# What may stand for the parts of an address, there or not.
PARTS: Final = {
    "match": "m_1",
    "player": "maker",
    "bot": "robot",
    "token": "t_1",
    "webhook": "wh_1",
    "delivery": "msg_1",
    "device": "dv_1",
    "ruleset": "classic",
    "number": "1",
}


def routes() -> set[tuple[str, str]]:
    """The name of every route with each of its methods."""
    return {
        (str(pattern.name), method)
        for pattern in _patterns(get_resolver("games.urls").url_patterns)
        for method in METHODS
        if hasattr(_view(pattern), method.lower())
    }


def addresses(method: str) -> dict[str, str]:
    """The address of every route that takes a method, by its name, with `{name}` for its parts."""
    return {
        str(pattern.name): re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in _patterns(get_resolver("games.urls").url_patterns)
        if hasattr(_view(pattern), method.lower())
    }


def _patterns(found: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for each in found:
        if isinstance(each, URLResolver):
            yield from _patterns(each.url_patterns)
        elif each.name is not None and not getattr(each.callback, "exclude_from_schema", False):
            yield each


def _view(pattern: URLPattern) -> Any:
    """The class of a view; a function names its view class."""
    callback: Any = pattern.callback
    return callback.view_class if hasattr(callback, "view_class") else callback.schema_view
