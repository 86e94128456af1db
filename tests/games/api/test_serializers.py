"""Request serializers and field errors."""

from typing import Any

import pytest
from rest_framework.exceptions import ErrorDetail

from games.api.serializers import field_errors, validate_body
from games.core.errors import FIELD_CODES, Problem
from tests.games.api.probe_views import Everything


def errors_of(data: Any) -> set[tuple[str, str]]:
    with pytest.raises(Problem) as refused:
        validate_body(Everything, data)
    assert refused.value.code == "validation_error"
    assert {error.code for error in refused.value.errors} <= FIELD_CODES.keys()
    return {(error.pointer, error.code) for error in refused.value.errors}


@pytest.mark.parametrize(
    ("data", "pointer", "code"),
    (
        ({}, "/number", "required"),
        ({"number": None}, "/number", "null"),
        ({"number": "1"}, "/number", "not_an_integer"),
        ({"number": 1.0}, "/number", "not_an_integer"),
        ({"number": True}, "/number", "not_an_integer"),
        ({"number": -1}, "/number", "too_small"),
        ({"number": 10**40}, "/number", "too_large"),
        ({"number": 1, "text": 1}, "/text", "not_a_string"),
        ({"number": 1, "text": ""}, "/text", "blank"),
        ({"number": 1, "text": "abcdef"}, "/text", "too_long"),
        ({"number": 1, "flag": 1}, "/flag", "not_a_boolean"),
        ({"number": 1, "flag": "true"}, "/flag", "not_a_boolean"),
        ({"number": 1, "flag": None}, "/flag", "null"),
        ({"number": 1, "level": "brutal"}, "/level", "unknown_value"),
        ({"number": 1, "level": ["easy"]}, "/level", "not_a_string"),
        ({"number": 1, "at": "2026-02-03"}, "/at", "not_a_time"),
        ({"number": 1, "at": "2026-02-03T04:05:06"}, "/at", "not_a_time"),
        ({"number": 1, "at": "2026-02-31T04:05:06Z"}, "/at", "not_a_time"),
        ({"number": 1, "at": "0001-01-01T00:00:00+14:00"}, "/at", "not_a_time"),
        ({"number": 1, "at": 5}, "/at", "not_a_string"),
        ({"number": 1, "inner": []}, "/inner", "not_an_object"),
        ({"number": 1, "inner": {"top": 14}}, "/inner/top", "too_large"),
        ({"number": 1, "inner": {"top": 1, "a/b~": 1}}, "/inner/a~1b~0", "unknown_field"),
        ({"number": 1, "list": {}}, "/list", "not_a_list"),
        ({"number": 1, "list": [{"top": 1}, {}]}, "/list/1/top", "required"),
        ({"number": 1, "list": [1]}, "/list/0", "not_an_object"),
        ({"number": 1, "more": 1}, "/more", "unknown_field"),
        ([], "", "not_an_object"),
        (None, "", "not_an_object"),
    ),
)
def test_an_error_has_a_pointer_and_a_code(data: Any, pointer: str, code: str) -> None:
    assert errors_of(data) == {(pointer, code)}


def test_all_errors_are_reported_at_once() -> None:
    assert errors_of({"number": "x", "text": 1, "more": 1}) == {
        ("/number", "not_an_integer"),
        ("/text", "not_a_string"),
        ("/more", "unknown_field"),
    }


def test_valid_data_is_returned_unchanged() -> None:
    body = {"number": 0, "text": " a ", "flag": False, "level": "easy", "inner": None, "list": []}
    assert validate_body(Everything, body) == body


def test_a_timestamp_is_converted_to_utc() -> None:
    values = validate_body(Everything, {"number": 1, "at": "2026-02-03T04:05:06+02:00"})
    assert values["at"].isoformat() == "2026-02-03T02:05:06+00:00"


def test_an_unknown_error_code_is_reported_as_invalid() -> None:
    (error,) = field_errors({"a": [ErrorDetail("strange", "strange")]})
    assert (error.pointer, error.code) == ("/a", "invalid")
