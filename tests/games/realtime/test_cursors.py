"""Cursors of a player's events: what was given is read again, and nothing else reaches the database."""

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


def asked(text: str, name: str = "after") -> Cursor | None:
    return requested_cursor(RequestFactory().get("/", {name: text}))  # type: ignore[arg-type]  # a request is enough


def coded(parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def test_a_place_is_read_as_it_was_written(database: str) -> None:
    now = current_cursor()
    now = Cursor(now.snapshot, now.taken_at.replace(microsecond=0))
    for place in (now, Cursor(now.snapshot, now.taken_at, now.snapshot, now.taken_at, 17)):
        assert asked(format_cursor(place)) == place
        assert asked(format_cursor(place), "cursor") == place


def test_what_browsers_send_counts_first(database: str) -> None:
    place = format_cursor(current_cursor())
    request = RequestFactory().get("/", {"after": "x"}, headers={"Last-Event-ID": place})
    assert requested_cursor(request) is not None  # type: ignore[arg-type]  # as above


JUNK = (
    "",
    "x",
    "\N{SNOWMAN}",
    "A" * 5000,
    coded(None),
    coded([]),
    coded({}),
    coded([1, 2]),
    coded(["1"]),
    coded(["x", 1]),
    coded(["1", "1"]),
    coded(["1", True]),
    coded(["1", 10**300]),
    coded(["1", 2**62]),
    coded(["9" * 40, 1]),
    coded(["5:3:", 1]),
    coded(["3:5:4,4", 1]),
    coded(["3:5:9", 1]),
    coded(["99999999999999999999:99999999999999999999:", 1]),
    coded(["3:5:4", 1, "x", 1, 1]),
    coded(["3:5:4", 1, "3:5:", 1, -1]),
    coded(["3:5:4", 1, "3:5:", 1, 2**63]),
    coded(["3:5:4", 1, "3:5:", 1, 1, 1]),
    coded(["1 OR 1", 1]),
    coded([["1"], 1]),
)


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("name", ("after", "cursor"))
def test_junk_is_refused(database: str, name: str, junk: str) -> None:
    with pytest.raises(Problem) as refused:
        asked(junk, name)
    assert (refused.value.code, refused.value.helps["parameter"]) == ("invalid_parameter", name)


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


def test_whatever_is_read_the_database_can_be_asked_about(database: str) -> None:
    player = make_player()

    @given(seen=MOMENTS, then=MOMENTS | st.just(""), at=NUMBERS, row=NUMBERS)
    def holds(seen: str, then: str, at: int, row: int) -> None:
        with suppress(Problem):
            place = asked(coded([seen, at, then, at, row]))
            assert place is not None
            events_after(player.pk, place, limit=1)

    holds()
    assert connection.is_usable()
