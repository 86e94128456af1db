"""The routes of the API, so that tests can check that their tables are complete."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")

# Well-formed values for the path parameters; the objects need not exist.
PARTS: Final = {
    "match": "m_1",
    "player": "maker",
    "bot": "robot",
    "token": "t_1",
    "app": "app_1",
    "authorization": "au_1",
    "session": "t_1",
    "webhook": "wh_1",
    "delivery": "msg_1",
    "device": "dv_1",
    "ruleset": "classic",
    "lesson": "sets",
    "number": "1",
    "puzzle": "p_1",
    "file": "players.csv",
}


def routes() -> set[tuple[str, str]]:
    """Return the name of every route with each of its methods."""
    return {
        (str(pattern.name), method)
        for pattern in _patterns(get_resolver("games.urls").url_patterns)
        for method in METHODS
        if hasattr(_view(pattern), method.lower())
    }


def addresses(method: str) -> dict[str, str]:
    """Return the path template of every route that supports a method, by the name of the route."""
    return {
        str(pattern.name): re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in _patterns(get_resolver("games.urls").url_patterns)
        if hasattr(_view(pattern), method.lower())
    }


def _patterns(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _patterns(each.url_patterns)
        elif each.name is not None:
            yield each


def _view(pattern: URLPattern) -> Any:
    """Return the view class of a route."""
    callback: Any = pattern.callback
    return callback.view_class
