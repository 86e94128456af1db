"""Check every response of every test against the OpenAPI document: schema, code and headers.

The published schemas allow additional members; here they are errors.
"""

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import jsonschema_rs

from games.api.problems import CONTENT_TYPE as PROBLEM
from games.api.schema.document import document
from games.core.errors import EXTRA_MEMBERS

Json = Any
PREFIX: Final = "/api/v1/"
# One JSON document a line: the contract describes these responses as text.
LINES: Final = "application/x-ndjson"
# Errors raised before a view is resolved, which operations do not declare.
_BEFORE_THE_VIEW: Final = {"method_not_allowed", "not_found", "invalid_parameter"}


@dataclass(frozen=True)
class FoundOperation:
    """An operation with its path and method."""

    path: str
    method: str
    declared: Json

    @property
    def name(self) -> str:
        return str(self.declared["operationId"])


@cache
def closed_document() -> Json:
    """Return the OpenAPI document with `additionalProperties: false` in all objects."""
    return _closed(json.loads(json.dumps(document())))


def _closed(value: Json) -> Json:
    if isinstance(value, list):
        return [_closed(each) for each in value]
    if not isinstance(value, dict):
        return value
    closed = {name: _closed(each) for name, each in value.items()}
    if closed.get("type") in ("object", ["object", "null"]) and "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    paths = sorted(closed_document()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "/?"), path) for path in paths]


def find_operation(method: str, path: str) -> FoundOperation | None:
    """Return the operation for a method and path, or `None`."""
    for pattern, template in _patterns():
        if pattern.fullmatch(path):
            declared = closed_document()["paths"][template].get(method.lower())
            return None if declared is None else FoundOperation(template, method.lower(), declared)
    return None


def validator(path: str, method: str, status: str, media: str) -> jsonschema_rs.Validator:
    """Return the validator for a response of an operation."""
    response = closed_document()["paths"][path][method]["responses"][status]
    return _validator(json.dumps(response["content"][media]["schema"], sort_keys=True))


@cache
def _validator(schema: str) -> jsonschema_rs.Validator:
    """Return a validator, cached by schema."""
    components = {"schemas": closed_document()["components"]["schemas"]}
    return jsonschema_rs.Draft202012Validator(
        {**json.loads(schema), "components": components}, validate_formats=True
    )


def schema_errors(name: str, value: Json) -> list[str]:
    """Return the errors of a value, such as the data of an event, against a named schema."""
    validator = _validator(json.dumps({"$ref": f"#/components/schemas/{name}"}))
    return [
        f"{name}: {error.message[:300]} at {error.instance_path}" for error in validator.iter_errors(value)
    ]


@dataclass(frozen=True)
class BufferedResponse:
    """A response of an ASGI application, with the interface that `contract_errors` needs."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes
    streaming: bool = False

    def json(self) -> Json:
        return json.loads(self.content)


def contract_errors(method: str, path: str, response: Any) -> list[str]:
    """Return the differences between a response and the OpenAPI document."""
    found = find_operation(method, path)
    if found is None or response.streaming:
        return []
    status, media = str(response.status_code), response.headers.get("Content-Type", "").partition(";")[0]
    if media == PROBLEM and _parsed(response)["code"] in _BEFORE_THE_VIEW:
        return []
    declared = found.declared["responses"].get(status)
    if declared is None:
        return [f"{found.name} does not declare {status}: {response.content[:300]!r}"]
    wrong = [*_wrong_headers(declared, response)]
    if media not in declared.get("content", {}):
        return (
            [*wrong, f"{found.name} does not declare {media!r} for {status}"] if response.content else wrong
        )
    if media.endswith("json") and media != LINES:
        body = _parsed(response)
        wrong += [
            f"{found.name} {status}: {error.message[:300]} at {error.instance_path}"
            for error in validator(found.path, found.method, status, media).iter_errors(body)
        ]
        if "x-codes" in declared and body["code"] not in declared["x-codes"]:
            wrong.append(f"{found.name} does not declare the code {body['code']}")
        if media == PROBLEM:
            wrong += [
                f"{body['code']} comes with `{member}`, which EXTRA_MEMBERS does not allow"
                for member in EXTRA_MEMBERS.keys() & body.keys()
                if body["code"] not in EXTRA_MEMBERS[member]
            ]
    return wrong


def _parsed(response: Any) -> Json:
    is_compressed = response.headers.get("Content-Encoding") == "gzip"
    return json.loads(gzip.decompress(response.content) if is_compressed else response.content)


# Declared headers that depend on the request, the settings or the data.
_OPTIONAL_HEADERS: Final = frozenset({"RateLimit", "RateLimit-Policy", "Link", "Idempotency-Replayed"})
_HEADERS: Final = (
    *("ETag", "Location", "Retry-After", "WWW-Authenticate", "Link", "Idempotency-Replayed"),
    *("Deprecation", "Sunset"),
)


def _wrong_headers(declared: Json, response: Any) -> list[str]:
    actual = {name for name in _HEADERS if name in response.headers}
    allowed = set(declared.get("headers", {}))
    if allowed - _OPTIONAL_HEADERS <= actual <= allowed:
        return []
    return [f"headers differ: actual {sorted(actual)}, declared {sorted(allowed)}"]
