"""The document for generators that know 3.0 alone: the same, less what that version cannot say."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def as_older(made: Json) -> Json:
    """Say in the terms of 3.0 what 3.1 says otherwise."""
    for methods in made["paths"].values():
        for operation in methods.values():
            operation["security"] = _without_scopes(operation["security"])
    for schema in list(_nullable(made)):
        if "type" not in schema:
            referred = schema.pop("allOf")[0]
            of_its_type = {"type": _type_of(referred["$ref"], made), "nullable": True, "enum": [None]}
            schema |= {"oneOf": [referred, of_its_type]}
            del schema["nullable"]
    return made


def _without_scopes(security: list[Json]) -> list[Json]:
    """3.0 knows scopes for OAuth alone; `x-scopes` tells them there."""
    told: list[Json] = [{name: [] for name in each} for each in security]
    return [each for at, each in enumerate(told) if each not in told[:at]]


def _nullable(value: Any) -> Iterator[Json]:
    """Every schema that may be null: beside a reference, null has to be a choice of its own."""
    if isinstance(value, dict):
        if value.get("nullable") is True:
            yield value
        for each in value.values():
            yield from _nullable(each)
    elif isinstance(value, list):
        for each in value:
            yield from _nullable(each)


def _type_of(ref: str, made: Json) -> str:
    referred = made["components"]["schemas"][ref.rpartition("/")[2]]
    named: str = referred.get("type", "object")
    return named
