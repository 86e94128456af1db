"""What schemathesis is told of this service: who asks, what has to be there before, and one check more."""

import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

import schemathesis
from schemathesis.generation.meta import TestPhase

from games.errors import FIELD_CODES
from tests.fuzz import coverage
from tests.fuzz.players import CURRENT_PLAYER, Person, SceneUnavailable
from tests.fuzz.scenes import SCENES, Scene, Stage

# What may be wrong with a field that is of the right form: what it means. `format: email` is wider than what
# mail servers take.
_SEMANTIC_CODES: Final = FIELD_CODES.keys() - set(
    "required null unknown_field not_an_object not_a_list not_a_string not_an_integer not_a_boolean "
    "not_a_time blank too_short too_long too_small too_large unknown_value invalid".split()
)
# Strings to the contract, opaque to clients: whatever was not given out before is refused.
_OPAQUE: Final = frozenset({"cursor", "after", "Last-Event-ID"})
# What no schema can say: which characters of all scripts can be read, and which time zones there are.
_BEYOND_SCHEMAS: Final = {("/display_name", "invalid"), ("/time_zone", "unknown_value")}
# The contract says of all strings in words that they hold no NUL and no half of a surrogate pair.
_UNWRITABLE: Final = re.compile(rb"\\u(0000|[dD][89a-fA-F])")
# JSON Schema takes 1.0 for an integer; the service wants integers written as such, and no schema can say so.
_WHOLE_FRACTION: Final = re.compile(rb"[0-9](\.0+|[eE])")

_stages: dict[str, Stage] = {}


@schemathesis.auth(refresh_interval=None)
class CurrentPlayer:
    """One player for the whole run, whatever asks."""

    def get(self, case: Any, context: Any) -> str:
        return CURRENT_PLAYER.get(case, context)

    def set(self, case: Any, data: str, context: Any) -> None:
        CURRENT_PLAYER.set(case, data, context)


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Put two of three requests of the right form into a scene in which it can succeed."""
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
    """The same for the same request, so that what was found can be found again."""
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
    """Note what was answered."""
    operation = context.operation.definition.raw["operationId"]
    coverage.record_status(operation, response.status_code)
    CURRENT_PLAYER.update(operation, response)


@schemathesis.check
def schema_covers_validation(ctx: Any, response: Any, case: Any) -> None:
    """What the contract calls right is refused for what it means alone, never for its form.

    So 400 is right where an opaque value was not given out, and 422 where a rule or a meaning stands against.
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
        message = f"the contract lets pass what is refused for its form: {response.text[:500]}"
        raise AssertionError(message)
