"""Tests of the cursors of player events: no malformed cursor reaches the database."""

import base64
import json
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from games.core.errors import Problem
from games.realtime.formats import format_cursor, requested_cursor
from games.realtime.queries import Cursor, current_cursor, events_after
from tests.support.factories import make_player


def requested(text: str, name: str = "after") -> Cursor | None:
    return requested_cursor(RequestFactory().get("/", {name: text}))  # type: ignore[arg-type]  # a request is enough


def encode(parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def test_a_cursor_survives_a_round_trip(database: str) -> None:
    now = current_cursor()
    now = Cursor(now.snapshot, now.taken_at.replace(microsecond=0))
    for place in (now, Cursor(now.snapshot, now.taken_at, now.snapshot, now.taken_at, 17)):
        assert requested(format_cursor(place)) == place
        assert requested(format_cursor(place), "cursor") == place


def test_last_event_id_takes_precedence_over_query_parameters(database: str) -> None:
    place = format_cursor(current_cursor())
    request = RequestFactory().get("/", {"after": "x"}, headers={"Last-Event-ID": place})
    assert requested_cursor(request) is not None  # type: ignore[arg-type]  # as above


JUNK = (
    "",
    "x",
    "\N{SNOWMAN}",
    "A" * 5000,
    encode(None),
    encode([]),
    encode({}),
    encode([1, 2]),
    encode(["1"]),
    encode(["x", 1]),
    encode(["1", "1"]),
    encode(["1", True]),
    encode(["1", 10**300]),
    encode(["1", 2**62]),
    encode(["9" * 40, 1]),
    encode(["5:3:", 1]),
    encode(["3:5:4,4", 1]),
    encode(["3:5:9", 1]),
    encode(["99999999999999999999:99999999999999999999:", 1]),
    encode(["3:5:4", 1, "x", 1, 1]),
    encode(["3:5:4", 1, "3:5:", 1, -1]),
    encode(["3:5:4", 1, "3:5:", 1, 2**63]),
    encode(["3:5:4", 1, "3:5:", 1, 1, 1]),
    encode(["1 OR 1", 1]),
    encode([["1"], 1]),
)


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("name", ("after", "cursor"))
def test_a_malformed_cursor_is_rejected(database: str, name: str, junk: str) -> None:
    with pytest.raises(Problem) as refused:
        requested(junk, name)
    assert (refused.value.code, refused.value.extra["parameter"]) == ("invalid_parameter", name)


NUMBERS = st.integers(min_value=0, max_value=2**63)
MOMENTS = st.one_of(
    NUMBERS.map(str),
    st.builds(
        lambda first, end, running: f"{first}:{end}:{','.join(map(str, running))}",
        NUMBERS,
        NUMBERS,
        st.lists(NUMBERS, max_size=3),
    ),
)


def test_the_database_accepts_every_cursor_that_is_parsed(database: str) -> None:
    player = make_player()

    @given(seen=MOMENTS, then=MOMENTS | st.just(""), at=NUMBERS, row=NUMBERS)
    def holds(seen: str, then: str, at: int, row: int) -> None:
        with suppress(Problem):
            place = requested(encode([seen, at, then, at, row]))
            assert place is not None
            events_after(player.pk, place, limit=1)

    holds()
    assert connection.is_usable()
