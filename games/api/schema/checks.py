"""`manage.py check` finds what a route forgot to say of itself, so that none is there untold."""

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error

from games.api.schema.generating import routes, view_of
from games.api.schema.parameters import MEANINGS
from games.api.view import METHODS

HINT = "See 'Add an API endpoint' in CONTRIBUTING.md."


def routes_are_described(**_: Any) -> list[CheckMessage]:
    """Every method of every route has its operation, no other has one, and every id is of one operation."""
    return [Error(message, hint=HINT, id="games.E001") for message in faults()]


def faults() -> Iterator[str]:
    """What is missing, in words."""
    seen: dict[str, str] = {}
    for pattern in routes():
        route = str(pattern.pattern)
        try:
            view = view_of(pattern)
        except AttributeError:
            yield f"{route} is answered by a function that names no view that it is `described_by`."
            continue
        methods = {name for name in METHODS if hasattr(view, name.lower())}
        for method in sorted(methods ^ view.operations.keys()):
            yield f"{view.__name__}.operations and its methods differ: {method} of {route}."
        for name in pattern.pattern.converters:
            if name not in MEANINGS:
                yield f"games.api.schema.parameters.MEANINGS does not say what `{name}` is in {route}."
        for operation in view.operations.values():
            if seen.setdefault(operation.id, route) != route:
                yield f"The operations of {route} and of {seen[operation.id]} are both called {operation.id}."
