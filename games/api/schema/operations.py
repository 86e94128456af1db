"""The declaration of an operation in a view, the tags, and the shared parameters and headers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NotRequired, TypedDict, cast

from drf_spectacular.plumbing import append_meta
from rest_framework.serializers import Serializer

from games.api.long_polling import MAX_WAIT_LENGTH
from games.api.models import MAX_KEY_LENGTH
from games.api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from games.api.routing import FileNameConverter, IdConverter, UsernameConverter
from games.api.schema.deprecation import Deprecation
from games.api.schema.fields import ResponseSerializer, Union
from games.api.serializers import RequestSerializer

# A JSON schema, as far as this service uses the keywords.
SchemaObject = TypedDict(
    "SchemaObject",
    {
        "$ref": str,
        "type": str,
        "format": str,
        "pattern": str,
        "enum": list[str],
        "default": object,
        "minimum": int,
        "maximum": int,
        "minLength": int,
        "maxLength": int,
        "minItems": int,
        "maxItems": int,
        "description": str,
        "nullable": bool,
        "required": list[str],
        "properties": "dict[str, SchemaObject]",
        "additionalProperties": "bool | SchemaObject",
        "items": "SchemaObject",
        "oneOf": "list[SchemaObject]",
        "discriminator": "Discriminator",
    },
    total=False,
)


class Discriminator(TypedDict):
    """The member whose value selects one of several schemas."""

    propertyName: str
    mapping: dict[str, str]


class HeaderObject(TypedDict):
    """The description of a response header."""

    description: str
    required: NotRequired[bool]
    schema: SchemaObject


ParameterObject = TypedDict(
    "ParameterObject",
    {"name": str, "in": str, "description": str, "required": NotRequired[bool], "schema": SchemaObject},
)


class JsonContent(TypedDict):
    """The schema of a JSON body, and an example."""

    schema: SchemaObject
    example: NotRequired[object]


class WebhookBody(TypedDict):
    """The body of the requests to a webhook, by media type."""

    required: bool
    content: dict[str, JsonContent]


class WebhookOperation(TypedDict):
    """The request that a webhook receives."""

    operationId: str
    summary: str
    description: str
    tags: list[str]
    security: list[dict[str, list[str]]]
    parameters: list[ParameterObject]
    requestBody: WebhookBody
    responses: dict[str, dict[str, str]]


class WebhookObject(TypedDict):
    """An entry of the document's `webhooks`."""

    post: WebhookOperation


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of the OpenAPI document."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list: its items, and the URLs of the next and the previous page."""

    of: type[ResponseSerializer]
    by_cursor: bool = True
    largest: int = MAX_LIMIT


Answer = type[ResponseSerializer] | Union | Page | None
Body = type[RequestSerializer[Any]] | Union
Part = type[ResponseSerializer] | type[RequestSerializer[Any]] | type[Serializer[Any]] | Union | Page | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A query parameter or header, with its JSON schema."""

    name: str
    schema: SchemaObject
    description: str
    place: str = "query"


@dataclass(frozen=True, slots=True)
class Link:
    """An OpenAPI link to the operation `to`, with values from the response for its parameters and body.

    Values that begin with `$response.body#` are taken from the response. Path parameters that both paths have
    in common keep their values.
    """

    to: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The description of one method of one path.

    `id` becomes the name of the method in generated clients. `problems` are the codes specific to this
    operation; those that follow from access, path, body and parameters are added. `other_media_types` are the
    media types besides JSON, with the schema of each. `link_values` are JSON pointers to the values in the
    response that other paths need, such as {"match_id": "/id"}; `links` are further links to single
    operations. `callback_url` is an expression for the URL that receives webhooks from then on.
    `location` is the `Location` of what the operation creates (201) or will create (202), as a format string
    with members of the response and path parameters.
    `content` describes a response that is not JSON, unless it is a stream of events, and `has_link` says that
    it can have a `Link` to the next page.
    `deprecation` says since and until when a deprecated operation works.
    `media_examples` derive the examples of other media types from the recorded operations.
    """

    id: str
    summary: str
    description: str
    tag: Tag
    answers: Mapping[int, Answer]
    body: Body | None = None
    parameters: tuple[Parameter, ...] = ()
    problems: tuple[str, ...] = ()
    conditional: bool = False
    location: str = ""
    other_media_types: Mapping[str, SchemaObject] = field(default_factory=dict)
    link_values: Mapping[str, str] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    callback_url: str = ""
    content: str = ""
    has_link: bool = False
    deprecation: Deprecation | None = None
    media_examples: Mapping[str, Callable[[Mapping[str, Any]], object]] = field(default_factory=dict)

    @property
    def page(self) -> Page | None:
        """The page of a list that the operation returns, if it does."""
        return next((answer for answer in self.answers.values() if isinstance(answer, Page)), None)

    def query_names(self) -> frozenset[str]:
        """Return the names of the query parameters."""
        names = {each.name for each in self.parameters if each.place == "query"}
        if self.page is not None:
            names |= {LIMIT.name, CURSOR.name} if self.page.by_cursor else {LIMIT.name}
        return frozenset(names)


OK: Final = 200
CREATED: Final = 201
ACCEPTED: Final = 202
NO_CONTENT: Final = 204
PARTIAL_CONTENT: Final = 206
NOT_MODIFIED: Final = 304

TITLE: Final = "Haggis"

ACCOUNTS: Final = Tag("Accounts", "Create guest, registered and bot accounts; log in and out.")
PROFILE: Final = Tag("Profile", "Manage your profile, your tokens and your bots.")
APPS: Final = Tag("Apps", "Apps of third parties, and what players let them do (OAuth 2.1).")
RULE_SETS: Final = Tag("Rule sets", "The five rule sets, and the combinations that cards can form.")
LOBBY: Final = Tag("Lobby", "Create, find, fill, leave and end matches.")
TABLE: Final = Tag("Table", "Read a table and act at it.")
LESSONS: Final = Tag("Lessons", "Learn the rules on prepared deals; nothing is stored.")
HISTORY: Final = Tag("History", "The log of a match, its rounds, its record and the verification of records.")
PUZZLES: Final = Tag("Puzzles", "Decisions with one clearly best choice: what would you play?")
EVENTS: Final = Tag("Events", "Receive events as they happen.")
WEBHOOKS: Final = Tag("Webhooks", "Receive events as HTTP requests to your own URL.")
PUSH: Final = Tag("Push messages", "Receive notifications on your devices, if the service offers them.")
CONTRACT: Final = Tag("Contract", "This document, and the rate limits.")

TAGS: Final = (
    ACCOUNTS,
    PROFILE,
    APPS,
    RULE_SETS,
    LOBBY,
    TABLE,
    LESSONS,
    HISTORY,
    PUZZLES,
    EVENTS,
    WEBHOOKS,
    PUSH,
    CONTRACT,
)

DESCRIPTION: Final = """\
Haggis is a climbing card game for two or three players. Matches are played live or by correspondence, against
people and AIs.

- Formats: requests and responses are JSON in UTF-8. Ids are opaque. Times are UTC in RFC 3339 format. A
  trailing slash of a path is ignored.
- Values: strings may not contain NUL or unpaired surrogates. Integers must be written without a fraction: 1.0
  is rejected.
- Compatibility: unknown members of a body are rejected. A query parameter may be given once; unknown ones are
  rejected by newer routes, which say so, and ignored by the others. Enumerations may grow and responses may
  gain members: clients must ignore what they do not know.
- Authentication: send the token as `Authorization: Bearer <token>`. `POST /api/v1/auth/guest` gives anyone a
  token. A resource that does not exist and one that you may not see both give 404.
- Errors: every error is `application/problem+json` with a stable `code`. They are checked in this order:
  validation, `not_found`, `not_seated`, `match_not_active`, `stale_version`, `deadline_passed`, `award_due`,
  `not_your_turn`, then the rules of the game.
- Created resources: every response with 201 has a `Location`, the URL of what was created or where it can be
  read.
- Pagination: lists are paginated; follow `next`.
- Conditional requests: send the `ETag` of a response as `If-None-Match`; 304 means that nothing has changed.
- Idempotency: a POST that accepts an `Idempotency-Key` can be retried safely. A repeated response has the
  header `Idempotency-Replayed: true`.
- Rate limits: the `RateLimit` headers say how many requests are left, `GET /api/v1/limits` shows all limits.
"""

_PATH_PARAMETER: Final = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>\w+)>")
_BY_CONVERTER: Final[dict[str, SchemaObject]] = {
    "id": {"type": "string", "pattern": f"^{IdConverter.regex}$"},
    "username": {"type": "string", "pattern": f"^{UsernameConverter.regex}$"},
    "file": {"type": "string", "pattern": f"^{FileNameConverter.regex}$"},
    "small": {"type": "integer", "minimum": 0, "maximum": 999_999},
}
# The description of each path parameter, the same in every path.
PATH_PARAMETER_DESCRIPTIONS: Final = {
    "match_id": "The id of the match.",
    "puzzle_id": "The id of the puzzle.",
    "key": "The key of the rule set.",
    "lesson": "The key of the lesson.",
    "number": "The number of the seat, from 0, or of the round, from 1.",
    "username": "The username of the player, case-insensitive.",
    "token_id": "The id of the token.",
    "app_id": "The `client_id` of one of your apps.",
    "authorization_id": "The id of an authorization.",
    "session_id": "The id of one of your sessions.",
    "webhook_id": "The id of the endpoint.",
    "delivery_id": "The id of the delivery.",
    "file_name": "The name of the file.",
    "device_id": "The id of the device.",
    "notice_id": "The id of a message of the operators to you.",
    "verification_id": "The id of the verification.",
}


def limit_parameter(largest: int) -> Parameter:
    """Return the parameter for the size of a page."""
    return Parameter(
        name="limit",
        schema={"type": "integer", "minimum": 1, "maximum": largest, "default": DEFAULT_LIMIT},
        description="The number of items on a page.",
    )


LIMIT: Final = limit_parameter(MAX_LIMIT)
CURSOR: Final = Parameter(
    name="cursor",
    schema={"type": "string", "maxLength": 500},
    description="Where the page begins: an opaque value from the `next` or `previous` URL of another page.",
)
IF_NONE_MATCH: Final = Parameter(
    name="If-None-Match",
    schema={"type": "string"},
    description="The ETag of your copy: if it is current, the response is 304 without a body.",
    place="header",
)
IDEMPOTENCY_KEY: Final = Parameter(
    name="Idempotency-Key",
    schema={"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": "^[ -~]+$"},
    description=(
        "A unique text of your choice. If you repeat the request with the same key and body within 24 hours, "
        "it has no second effect and gets the first response."
    ),
    place="header",
)

HEADERS: Final[dict[str, HeaderObject]] = {
    "ETag": {
        "description": "Opaque; valid for this viewer and this URL.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Link": {
        "description": 'The next and the previous page, where there are any: `<url>; rel="next"` (RFC 8288).',
        "schema": {"type": "string"},
    },
    "Idempotency-Replayed": {
        "description": "`true` if this is the stored response to an earlier request with the same key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {
        "description": "Seconds to wait before a retry.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'The remaining quota: `"player";r=12;t=30` means 12 requests in the next 30 seconds.',
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": 'The limit: `"player";q=600;w=60` means 600 requests in 60 seconds.',
        "schema": {"type": "string"},
    },
}


def deprecation_headers(deprecation: Deprecation) -> dict[str, HeaderObject]:
    """Return the descriptions of the headers of a deprecated operation."""
    return {
        "Deprecation": {
            "description": f"Since when the operation is deprecated: {deprecation.since} (RFC 9745).",
            "required": True,
            "schema": {"type": "string"},
        },
        "Sunset": {
            "description": f"Until when the operation works: {deprecation.sunset} (RFC 8594).",
            "required": True,
            "schema": {"type": "string"},
        },
    }


# A field of a format string, such as `{id}` or `{player[username]}`.
_LOCATION_FIELD: Final = re.compile(r"\{(?:\w+\[)?(\w+)\]?\}")


def location_header(operation: Operation) -> HeaderObject:
    """Return the description of the `Location` header of an operation."""
    path = _LOCATION_FIELD.sub(r"{\1}", operation.location)
    return {
        "description": f"The URL of what was created, or where it can be read: `{path}`.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    }


def ref(kind: str, name: str) -> SchemaObject:
    """Return a reference to a component."""
    return {"$ref": f"#/components/{kind}/{name}"}


def parameters_of(operation: Operation, route: str, *, is_idempotent: bool) -> list[ParameterObject]:
    """Return every parameter of an operation: in its path, its own, and the shared ones."""
    parameters = [*operation.parameters]
    if operation.page is not None:
        limit = limit_parameter(operation.page.largest)
        parameters += [limit, CURSOR] if operation.page.by_cursor else [limit]
    if operation.conditional:
        parameters.append(IF_NONE_MATCH)
    if is_idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    return [*_path_parameters(route), *(to_json(each) for each in parameters)]


def _path_parameters(route: str) -> list[ParameterObject]:
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


def to_json(parameter: Parameter) -> ParameterObject:
    """Return the OpenAPI object of a parameter."""
    return {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.description,
        "schema": parameter.schema,
    }


def page_schema(item: SchemaObject, plural: str) -> SchemaObject:
    """Return the schema of a page of items."""
    return {
        "type": "object",
        "description": f"{plural}: some items of a list, with the URLs of the next and previous pages.",
        "required": ["next", "previous", "results"],
        "properties": {
            "next": _nullable_url("The URL of the next page; null on the last page."),
            "previous": _nullable_url("The URL of the previous page; null on the first page."),
            "results": {"type": "array", "items": item, "description": "The items of this page."},
        },
    }


def _nullable_url(description: str) -> SchemaObject:
    # drf-spectacular turns `nullable` into a type of OpenAPI 3.1.
    schema = append_meta({"type": "string", "format": "uri"}, {"nullable": True, "description": description})
    return cast("SchemaObject", schema)


MAX_VERSION: Final = 2**31 - 1

WAIT: Final = Parameter(
    name="wait",
    schema={"type": "integer", "minimum": 0, "maximum": MAX_WAIT_LENGTH, "default": 0},
    description="If nothing has changed, wait up to this many seconds for a change (long polling).",
)
