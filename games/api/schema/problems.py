"""Refusals in the document: which codes an operation may answer, by status, each with an example."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

from games.api.problems import CONTENT_TYPE
from games.errors import CODES

Json = dict[str, Any]

_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}


def codes_by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    """The codes in the order of the contract, under their statuses.

    >>> codes_by_status(["not_your_turn", "not_found", "stale_version"])
    {404: ['not_found'], 409: ['stale_version', 'not_your_turn']}
    """
    wanted = set(codes)
    known = sorted((code for code in CODES if code in wanted), key=lambda code: CODES[code][0])
    if unknown := wanted - CODES.keys():
        raise KeyError(*unknown)
    return {status: list(group) for status, group in groupby(known, key=lambda code: CODES[code][0])}


def problem_answer(codes: list[str]) -> Json:
    """The answers of one status: what each code says, and an example of it."""
    status = CODES[codes[0]][0]
    made: Json = {
        "description": "\n".join(f"- `{code}`: {CODES[code][1]}." for code in codes),
        "content": {
            CONTENT_TYPE: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
        "x-codes": codes,
    }
    if status in _HEADERS:
        made["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS[status]}
    return made
