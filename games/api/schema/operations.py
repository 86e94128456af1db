"""What a view declares about each method, and the parameters of the contract."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from drf_spectacular.plumbing import append_meta
from rest_framework.serializers import Serializer

from games.api.long_polling import MAX_WAIT_LENGTH
from games.api.models import MAX_KEY_LENGTH
from games.api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from games.api.routing import IdConverter, UsernameConverter
from games.api.schema.fields import ResponseSerializer, Union
from games.api.serializers import RequestSerializer

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tag:
    """A chapter of the contract."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Page:
    """The answer of a list: so many of these, and the addresses of the pages before and after."""

    of: type[ResponseSerializer]
    by_cursor: bool = True


Answer = type[ResponseSerializer] | Union | Page | None
Body = type[RequestSerializer] | Union
Part = type[ResponseSerializer] | type[RequestSerializer] | type[Serializer[Any]] | Union | Page | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter behind the question mark, or a header: its name, its JSON schema, and what it does."""

    name: str
    schema: Json
    description: str
    place: str = "query"


@dataclass(frozen=True, slots=True)
class Link:
    """What can be asked next with what stands in the answer: an operation, with parameters and body for it.

    What begins with `$response.body#` is taken from the answer. Names in the address that are the same in
    both addresses stay as they were.
    """

    to: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Json | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one address.

    `id` is what generators call it. `problems` are the codes that only this operation has; those that follow
    from its frame are added. `other_forms` are media types besides JSON, with the schema of each. `makes`
    tells where in the answer stands what other addresses need: {"match_id": "/id"}, and `leads` to single
    operations with more than that.
    """

    id: str
    summary: str
    description: str
    tag: Tag
    answers: Mapping[int, Answer]
    body: Body | None = None
    body_may_be_left_out: bool = False
    parameters: tuple[Parameter, ...] = ()
    problems: tuple[str, ...] = ()
    conditional: bool = False
    tells_location: bool = False
    other_forms: Mapping[str, Json] = field(default_factory=dict)
    makes: Mapping[str, str] = field(default_factory=dict)
    leads: tuple[Link, ...] = ()


OK: Final = 200
CREATED: Final = 201
ACCEPTED: Final = 202
NO_CONTENT: Final = 204
NOT_MODIFIED: Final = 304

TITLE: Final = "Haggis"
# The version of the contract: the last number for better descriptions, the middle one for what is added. What
# clients rely on is never taken away within v1.
VERSION: Final = "1.0.0"

ACCOUNTS: Final = Tag("Accounts", "Guests, people and bots; ways to a token and out again.")
PROFILE: Final = Tag("Profile", "What a player says of themselves, their tokens and their bots.")
RULE_SETS: Final = Tag("Rule sets", "The five games that matches are played by, and what cards can be.")
LOBBY: Final = Tag("Lobby", "Making, finding, filling, leaving and ending matches.")
TABLE: Final = Tag("Table", "Looking at a table and acting at it.")
HISTORY: Final = Tag("History", "What happened: the log, rounds, records and their verification.")
EVENTS: Final = Tag("Events", "Being told of what happens as it happens.")
WEBHOOKS: Final = Tag("Webhooks", "Being told by requests to an address of one's own.")
PUSH: Final = Tag("Push messages", "Being told on one's devices, where the service offers it.")
CONTRACT: Final = Tag("Contract", "This document.")

TAGS: Final = (ACCOUNTS, PROFILE, RULE_SETS, LOBBY, TABLE, HISTORY, EVENTS, WEBHOOKS, PUSH, CONTRACT)

DESCRIPTION: Final = """\
Haggis, a climbing card game for two or three players, played by post or at once, against people and AIs.

- JSON in and out, UTF-8. Ids are opaque. Times are UTC, RFC 3339. A slash at the end of an address changes
  nothing.
- Strings hold no NUL and no half of a surrogate pair, and integers are written as such: 1.0 is none.
- Unknown members of a body are refused, unknown parameters ignored. Enumerations may grow and answers may
  gain members: clients tolerate what they do not know.
- A token goes into `Authorization: Bearer <token>`; `POST /api/v1/auth/guest` gives one to anybody. What is
  not there and what is not yours to see are the same 404.
- Whatever is refused is `application/problem+json` with a stable `code`. Refusals are judged in this order:
  shape, `not_found`, `not_seated`, `match_not_active`, `stale_version`, `deadline_passed`, `award_due`,
  `not_your_turn`, then the rules.
- Lists come in pages: follow `next`.
- Answers with an `ETag` are asked for again with `If-None-Match`: 304 says that nothing has changed.
- A POST that takes an `Idempotency-Key` may be sent again safely. `RateLimit` headers tell what is left of a
  limit.
"""

_PATH_PARAMETER: Final = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>\w+)>")
_BY_CONVERTER: Final[dict[str, Json]] = {
    "id": {"type": "string", "pattern": f"^{IdConverter.regex}$"},
    "username": {"type": "string", "pattern": f"^{UsernameConverter.regex}$"},
    "small": {"type": "integer", "minimum": 0, "maximum": 999_999},
}
# What a name in an address stands for, wherever it stands.
PATH_PARAMETER_DESCRIPTIONS: Final = {
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
    schema={"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
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
    schema={"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": "^[ -~]+$"},
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
    return [*_of_the_address(route), *(to_json(each) for each in wanted)]


def _of_the_address(route: str) -> list[Json]:
    return [
        {
            "name": found["name"],
            "in": "path",
            "required": True,
            "description": PATH_PARAMETER_DESCRIPTIONS[found["name"]],
            "schema": _BY_CONVERTER[found["converter"]],
        }
        for found in _PATH_PARAMETER.finditer(route)
    ]


def to_json(parameter: Parameter) -> Json:
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


MAX_VERSION: Final = 2**31 - 1

WAIT: Final = Parameter(
    name="wait",
    schema={"type": "integer", "minimum": 0, "maximum": MAX_WAIT_LENGTH, "default": 0},
    description="Where there is nothing new, wait for it for so many seconds.",
)
