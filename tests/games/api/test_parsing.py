"""Strict JSON parsing."""

import json
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient, APIRequestFactory

from games.core.errors import Problem
from games.core.strict_json import MAX_DEPTH, MAX_VALUES, parse_json
from tests.games.api.bad_input import Route, accepted
from tests.games.api.probe_views import Echo
from tests.support.clients import code

pytestmark = pytest.mark.urls("tests.games.api.probe_views")

ECHO = Route(
    "POST",
    "echo",
    {"number": 1, "text": "a", "flag": True, "inner": {"top": 1}, "list": [{"top": 2}]},
    needed="/number /inner/top",
    nullable="/inner",
)

ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("ascii_only", (True, False))
@given(value=ANY_JSON)
def test_every_json_value_round_trips(value: object, *, ascii_only: bool) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary())
def test_arbitrary_bytes_are_parsed_or_rejected(content: bytes) -> None:
    with suppress(Problem):
        parse_json(content)


def test_bad_input_is_rejected(db: None) -> None:
    assert accepted(APIClient(), ECHO) == []


def test_the_bad_input_table_reports_accepted_requests(db: None) -> None:
    nullable = replace(ECHO, nullable="")
    assert any(failure.startswith("/inner = null: 201") for failure in accepted(APIClient(), nullable))


def test_brackets_in_strings_do_not_count_as_nesting() -> None:
    assert parse_json(json.dumps({"a": "[{" * 100, "b\\": '"[[' * 50}).encode()) == {
        "a": "[{" * 100,
        "b\\": '"[[' * 50,
    }


def test_nesting_is_limited_to_the_maximum_depth() -> None:
    assert parse_json(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) is not None
    with pytest.raises(Problem, match="nested"):
        parse_json(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))


@pytest.mark.parametrize(
    "content",
    (
        b"[" * 2_000_000,
        b"[" * 2_000_000 + b"]" * 2_000_000,
        b"[" + b"[]," * 1_300_000 + b"[]]",
        b'["' + b'\\"' * 2_000_000,
        b'{"a":' * 700_000,
        b"[" + b"1," * 2_000_000 + b"1]",
    ),
    ids=("open", "nested", "empty lists", "open string", "nested objects", "numbers"),
)
def test_hostile_bodies_are_rejected_before_they_are_parsed(content: bytes) -> None:
    started = time.process_time()
    with pytest.raises(Problem) as rejected:
        parse_json(content)
    assert rejected.value.code == "malformed_json"
    assert time.process_time() - started < 1


def test_the_number_of_values_is_limited() -> None:
    assert len(parse_json(b"[" + b"1," * (MAX_VALUES - 2) + b"1]")) == MAX_VALUES - 1
    with pytest.raises(Problem, match="more than"):
        parse_json(b"[" + b"1," * MAX_VALUES + b"1]")


def test_surrogate_pairs_and_escaped_backslashes_are_accepted() -> None:
    assert parse_json(rb'["\ud83c\udca1", "\\u0000", "\\ud800"]') == ["\U0001f0a1", "\\u0000", "\\ud800"]


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "content", (b'"' * 60_000, b'"\\' * 30_000, b'\\"' * 30_000, b"[]" * 30_000, b'["' * 30_000)
)
def test_rejecting_a_body_takes_linear_time(content: bytes) -> None:
    with pytest.raises(Problem):
        parse_json(content * 10)  # quadratic time would exceed the timeout


def test_a_missing_body_is_rejected_if_a_member_is_required() -> None:
    response = APIClient().post("/api/v1/echo")
    assert (response.status_code, code(response)) == (400, "malformed_json")


def test_a_utf_8_charset_in_the_content_type_is_accepted() -> None:
    response = APIClient().generic(
        "POST", "/api/v1/echo", '{"number": 1}', content_type="application/json; charset=utf-8"
    )
    assert response.status_code == 201


def test_a_chunked_body_without_content_length_is_rejected() -> None:
    request = APIRequestFactory().post("/api/v1/echo", HTTP_TRANSFER_ENCODING="chunked")
    request.META.pop("CONTENT_LENGTH", None)
    response = Echo.as_view()(request)
    assert (response.status_code, code(response)) == (400, "malformed_json")
