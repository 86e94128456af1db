"""Parameters and headers: those that stand in the address, and those that the frame reads and writes."""

import re
from typing import Any, Final

from drf_spectacular.plumbing import append_meta

from games.api.converters import IdConverter, UsernameConverter
from games.api.paging import DEFAULT_LIMIT, LARGEST_LIMIT
from games.api.schema.operation import Operation, Page, Parameter
from games.models.idempotency_key import LONGEST_KEY

Json = dict[str, Any]

_IN_THE_ADDRESS: Final = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>\w+)>")
_BY_CONVERTER: Final[dict[str, Json]] = {
    "id": {"type": "string", "pattern": f"^{IdConverter.regex}$"},
    "username": {"type": "string", "pattern": f"^{UsernameConverter.regex}$"},
    "small": {"type": "integer", "minimum": 0, "maximum": 999_999},
}
# What a name in an address stands for, wherever it stands.
MEANINGS: Final = {
    "match_id": "The id of the match.",
    "key": "The key of the rule set.",
    "number": "The number of the seat, from 0, or of the round, from 1.",
    "username": "The name of the player, in any case.",
    "token_id": "The id of the token.",
    "webhook_id": "The id of the endpoint.",
    "delivery_id": "The id of the delivery.",
    "device_id": "The id of the device.",
}

LIMIT: Final = Parameter(
    name="limit",
    schema={"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": DEFAULT_LIMIT},
    description="How many a page shows.",
)
CURSOR: Final = Parameter(
    name="cursor",
    schema={"type": "string", "maxLength": 500},
    description="Where the page begins: opaque, taken from the `next` or `previous` of another page.",
)
IF_NONE_MATCH: Final = Parameter(
    name="If-None-Match",
    schema={"type": "string"},
    description="The ETag of what you hold: where it still holds, the answer is 304 without a body.",
    place="header",
)
IDEMPOTENCY_KEY: Final = Parameter(
    name="Idempotency-Key",
    schema={"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
    description=(
        "Any text of your own choice. Sent again within 24 hours with the same body, the request has no "
        "second effect and gets the first answer."
    ),
    place="header",
)

HEADERS: Final[dict[str, Json]] = {
    "ETag": {
        "description": "Opaque; holds for this viewer and this address.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The address of what was made.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Retry-After": {
        "description": "Seconds after which to try again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'What is left of the limit: `"player";r=12;t=30`, 12 requests in the next 30 seconds.',
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": 'The limit: `"player";q=600;w=60`, 600 requests in 60 seconds.',
        "schema": {"type": "string"},
    },
}


def ref(kind: str, name: str) -> Json:
    """Point to a component."""
    return {"$ref": f"#/components/{kind}/{name}"}


def parameters_of(said: Operation, route: str, *, is_kept: bool) -> list[Json]:
    """Every parameter of an operation: of its address, its own, and those of the frame."""
    wanted = [*said.parameters]
    pages = [form for form in said.answers.values() if isinstance(form, Page)]
    if pages:
        wanted += [LIMIT, CURSOR] if pages[0].by_cursor else [LIMIT]
    if said.conditional:
        wanted.append(IF_NONE_MATCH)
    if is_kept:
        wanted.append(IDEMPOTENCY_KEY)
    return [*_of_the_address(route), *(written(each) for each in wanted)]


def _of_the_address(route: str) -> list[Json]:
    return [
        {
            "name": found["name"],
            "in": "path",
            "required": True,
            "description": MEANINGS[found["name"]],
            "schema": _BY_CONVERTER[found["converter"]],
        }
        for found in _IN_THE_ADDRESS.finditer(route)
    ]


def written(parameter: Parameter) -> Json:
    """A parameter as the document has it."""
    return {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.description,
        "schema": parameter.schema,
    }


def page_schema(item: Json, plural: str) -> Json:
    """The form of every list."""
    return {
        "type": "object",
        "description": f"{plural}: some of a list, and where the rest is.",
        "required": ["next", "previous", "results"],
        "properties": {
            "next": _address("The page after this one, null at the end."),
            "previous": _address("The page before this one, null at the beginning."),
            "results": {"type": "array", "items": item},
        },
    }


def _address(description: str) -> Json:
    written: Json = append_meta(
        {"type": "string", "format": "uri"}, {"nullable": True, "description": description}
    )
    return written
