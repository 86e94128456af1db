"""Where what is stored differs from what it should be: named by its place, never by what it holds."""

import json

from django.core.serializers.json import DjangoJSONEncoder


class Difference(Exception):
    """The first thing that is not as the log says."""

    def __init__(self, match_id: str, where: str) -> None:
        """Name the match and the place."""
        super().__init__(f"{match_id}: {where}")


def same(match_id: str, where: str, stored: object, expected: object) -> None:
    """Raise unless two values are the same once written as JSON, as one of them was."""
    if _written(stored) != _written(expected):
        raise Difference(match_id, where)


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, cls=DjangoJSONEncoder)
