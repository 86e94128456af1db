"""Hooks for schemathesis: authentication, preconditions of operations, and an additional check."""

import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

import schemathesis
from schemathesis.generation.meta import TestPhase

from games.core.errors import FIELD_CODES
from tests.fuzz import coverage
from tests.fuzz.players import CURRENT_PLAYER, Person, SceneUnavailable
from tests.fuzz.scenes import SCENES, Scene, Stage

# Codes for fields that are valid by the schema but not by their meaning. `format: email` allows more than
# mail servers accept.
_SEMANTIC_CODES: Final = FIELD_CODES.keys() - set(
    "required null unknown_field not_an_object not_a_list not_a_string not_an_integer not_a_boolean "
    "not_a_time blank too_short too_long too_small too_large unknown_value invalid".split()
)
# Opaque strings: values that were never issued are rejected.
_OPAQUE: Final = frozenset({"cursor", "after", "Last-Event-ID"})
# Rules that a schema cannot express: printable characters, names unlike addresses, existing time zones.
_BEYOND_SCHEMAS: Final = {
    ("/display_name", "invalid"),
    ("/name", "invalid"),
    ("/time_zone", "unknown_value"),
}
# The contract excludes NUL and lone surrogates in its prose.
_UNWRITABLE: Final = re.compile(rb"\\u(0000|[dD][89a-fA-F])")
# JSON Schema accepts 1.0 as an integer, the service does not.
_WHOLE_FRACTION: Final = re.compile(rb"[0-9](\.0+|[eE])")

_stages: dict[str, Stage] = {}


@schemathesis.auth(refresh_interval=None)
class CurrentPlayer:
    """Authenticates all requests as the current player."""

    def get(self, case: Any, context: Any) -> str:
        return CURRENT_PLAYER.get(case, context)

    def set(self, case: Any, data: str, context: Any) -> None:
        CURRENT_PLAYER.set(case, data, context)


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Give two of three valid requests the preconditions to succeed."""
    operation = context.operation.definition.raw["operationId"]
    if operation not in SCENES or not _is_valid(case) or not _is_selected(case):
        return
    with suppress(SceneUnavailable):
        _apply_scene(SCENES[operation](_stage()), case)


def _apply_scene(scene: Scene, case: Any) -> None:
    if scene.parts:
        case.path_parameters = {**(case.path_parameters or {}), **scene.parts}
    if scene.body is not None:
        case.body = scene.body
    if scene.token:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {scene.token}"}


def _is_valid(case: Any) -> bool:
    return (
        case.meta is not None
        and case.meta.generation.mode.is_positive
        and case.meta.phase.name in {TestPhase.FUZZING, TestPhase.STATEFUL}
    )


def _is_selected(case: Any) -> bool:
    """Select by content, so that a failing request can be repeated."""
    return sum(repr((case.path_parameters, case.body, case.query)).encode()) % 3 > 0


def _stage() -> Stage:
    if CURRENT_PLAYER.person is None:
        raise SceneUnavailable
    me = CURRENT_PLAYER.person
    if me.token not in _stages:
        _stages.clear()
        _stages[me.token] = Stage(me, Person.register(me.site))
    return _stages[me.token]


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Record the status of the response."""
    operation = context.operation.definition.raw["operationId"]
    coverage.record_status(operation, response.status_code)
    CURRENT_PLAYER.update(operation, response)


@schemathesis.check
def schema_covers_validation(ctx: Any, response: Any, case: Any) -> None:
    """Check that requests valid by the schema are only rejected for their meaning.

    So 400 is allowed for an opaque value that was never issued, and 422 for a rule of the game or a semantic
    error.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code not in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
        return
    problem, sent = response.json(), response.request.body or b""
    errors = {(error["pointer"], error["code"]) for error in problem.get("errors", ())} - _BEYOND_SCHEMAS
    wrong = {code for _, code in errors} - _SEMANTIC_CODES
    if _WHOLE_FRACTION.search(sent):
        wrong.discard("not_an_integer")
    unreadable = response.status_code == HTTPStatus.BAD_REQUEST and problem.get("parameter") not in _OPAQUE
    if wrong or (unreadable and not _UNWRITABLE.search(sent)):
        message = f"the schema accepts a request that is rejected as malformed: {response.text[:500]}"
        raise AssertionError(message)
