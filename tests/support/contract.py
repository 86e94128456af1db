"""Every answer of every test held against the contract: form, code and headers.

Where the published forms let answers gain members, these do not: what is not described is a fault.
"""

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
# Answers of the frame before a view is known; those have one form and need no operation that declares them.
_BEFORE_THE_VIEW: Final = {"method_not_allowed", "not_found", "invalid_parameter"}


@dataclass(frozen=True)
class Found:
    """An operation, and where it stands in the document."""

    path: str
    method: str
    declared: Json

    @property
    def name(self) -> str:
        return str(self.declared["operationId"])


@cache
def closed_document() -> Json:
    """The contract with every object of an answer closed."""
    return _closed(json.loads(json.dumps(document())))


def _closed(value: Json) -> Json:
    if isinstance(value, list):
        return [_closed(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {name: _closed(each) for name, each in value.items()}
    if made.get("type") in ("object", ["object", "null"]) and "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    paths = sorted(closed_document()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "/?"), path) for path in paths]


def find_operation(method: str, path: str) -> Found | None:
    """The operation at an address; None where the contract has none."""
    for pattern, template in _patterns():
        if pattern.fullmatch(path):
            declared = closed_document()["paths"][template].get(method.lower())
            return None if declared is None else Found(template, method.lower(), declared)
    return None


def validator(path: str, method: str, status: str, media: str) -> jsonschema_rs.Validator:
    """What judges one answer of one operation."""
    answer = closed_document()["paths"][path][method]["responses"][status]
    return _judge(json.dumps(answer["content"][media]["schema"], sort_keys=True))


@cache
def _judge(schema: str) -> jsonschema_rs.Validator:
    """Made once for all answers of one form: every refusal has the same."""
    forms = {"schemas": closed_document()["components"]["schemas"]}
    return jsonschema_rs.Draft202012Validator(
        {**json.loads(schema), "components": forms}, validate_formats=True
    )


def faults_of_form(name: str, value: Json) -> list[str]:
    """What is not as the contract has it in something of a form that is named there: the data of an event."""
    judge = _judge(json.dumps({"$ref": f"#/components/schemas/{name}"}))
    return [f"{name}: {error.message[:300]} at {error.instance_path}" for error in judge.iter_errors(value)]


@dataclass(frozen=True)
class Whole:
    """An answer of an application that is called without a client, as `faults` wants it."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes
    streaming: bool = False

    def json(self) -> Json:
        return json.loads(self.content)


def faults(method: str, path: str, response: Any) -> list[str]:
    """What is not as the contract has it in an answer; nothing where the contract does not reach."""
    found = find_operation(method, path)
    if found is None or response.streaming:
        return []
    status, media = str(response.status_code), response.headers.get("Content-Type", "").partition(";")[0]
    if media == PROBLEM and response.json()["code"] in _BEFORE_THE_VIEW:
        return []
    declared = found.declared["responses"].get(status)
    if declared is None:
        return [f"{found.name} does not declare {status}: {response.content[:300]!r}"]
    wrong = [*_wrong_headers(declared, response)]
    if media not in declared.get("content", {}):
        return (
            [*wrong, f"{found.name} does not declare {media!r} for {status}"] if response.content else wrong
        )
    if media.endswith("json"):
        body = response.json()
        wrong += [
            f"{found.name} {status}: {error.message[:300]} at {error.instance_path}"
            for error in validator(found.path, found.method, status, media).iter_errors(body)
        ]
        if "x-codes" in declared and body["code"] not in declared["x-codes"]:
            wrong.append(f"{found.name} does not declare the code {body['code']}")
        if media == PROBLEM:
            wrong += [
                f"{body['code']} comes with `{member}`, and HELPS does not say so"
                for member in EXTRA_MEMBERS.keys() & body.keys()
                if body["code"] not in EXTRA_MEMBERS[member]
            ]
    return wrong


def _wrong_headers(declared: Json, response: Any) -> list[str]:
    told = {
        name for name in ("ETag", "Location", "Retry-After", "WWW-Authenticate") if name in response.headers
    }
    said = set(declared.get("headers", {})) - {"RateLimit", "RateLimit-Policy"}
    return [f"headers differ: answered {sorted(told)}, declared {sorted(said)}"] if told != said else []
