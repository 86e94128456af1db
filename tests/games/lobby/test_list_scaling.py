"""List pages take as many round trips and read as few rows with ten thousand stored matches as with thirty.

`HAGGIS_STORED` is the number of stored matches.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from games.gateway.agreement import ENGINE_VERSION
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus, Seat, SeatState, new_match_id
from tests.support.clients import client_of, make_person
from tests.support.round_trips import record_round_trips

STORED: Final = int(os.environ.get("HAGGIS_STORED", "10000"))
FEW: Final = 30
# How many of the stored matches are open, with one invitation each, and how many are running.
OPEN, RUNNING = 10, 10

pytestmark = [
    pytest.mark.needs("postgresql"),
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
    pytest.mark.usefixtures("committing_database"),
]

LISTS: Final = (
    "matches",
    "matches?status=open",
    "matches?status=active",
    "matches?status=finished",
    "matches?open_seats=true",
    "matches?ruleset=classic",
    "matches?ordering=created_at",
    "matches?player=busy",
    "matches?player=busy&status=finished",
    "matches?maker=busy",
    "players/busy/matches",
    "me/matches",
    "me/invitations",
)
# A page of twenty matches, one more that shows whether there is another page, and their seats and players.
MOST_ROWS: Final = 21 * 8


def store(count: int, busy: Player, other: Player) -> None:
    """Store matches between two players, the oldest ones finished."""
    now = timezone.now()
    ids = [new_match_id() for _ in range(count)]
    Match.objects.bulk_create(
        (
            _match(match_id, number, now - timedelta(seconds=count - number), busy)
            for number, match_id in enumerate(ids)
        ),
        batch_size=2000,
    )
    Seat.objects.bulk_create(
        (seat for number, match_id in enumerate(ids) for seat in _seats(match_id, number, (busy, other))),
        batch_size=4000,
    )


def _status(number: int) -> MatchStatus:
    if number < OPEN:
        return MatchStatus.OPEN
    return MatchStatus.ACTIVE if number < OPEN + RUNNING else MatchStatus.FINISHED


def _match(match_id: str, number: int, at: Any, maker: Player) -> Match:
    status = _status(number)
    return Match(
        id=match_id,
        maker=maker,
        ruleset="classic",
        ruleset_version="1",
        engine_version=ENGINE_VERSION,
        options={},
        players=2,
        target_score=250,
        anchor="0" * 64,
        status=status,
        open_seats=1 if status == MatchStatus.OPEN else 0,
        to_act=0 if status == MatchStatus.ACTIVE else None,
        round_number=1,
        totals=[0, 0],
        result={"winners": [0], "scores": [250, 0], "reason": "target"} if status == "finished" else None,
        created_at=at,
        finished_at=at if status == MatchStatus.FINISHED else None,
    )


def _seats(match_id: str, number: int, people: tuple[Player, Player]) -> Iterator[Seat]:
    status = _status(number)
    for seat, player in enumerate(people):
        invited = status == MatchStatus.OPEN and seat == 0
        yield Seat(
            match_id=match_id,
            number=seat,
            player=player,
            state=SeatState.INVITED if invited else SeatState.PLAYING,
            live=status != MatchStatus.FINISHED,
        )


@pytest.fixture
def busy() -> tuple[Player, Player, APIClient]:
    """Return a player with thirty matches, their opponent and their client."""
    player, other = make_person("busy"), make_person("other")
    store(FEW, player, other)
    return player, other, client_of(player)


def count_round_trips(client: APIClient) -> dict[str, int]:
    """Count the round trips of each list, once its statements are prepared."""
    found = {}
    for path in LISTS:
        for _ in range(7):
            client.get(f"/api/v1/{path}")
        with record_round_trips() as sent:
            assert client.get(f"/api/v1/{path}").status_code == 200, path
        found[path] = len(sent)
    return found


def plans(client: APIClient, path: str) -> list[Any]:
    """Return the query plans of a list."""
    executed: list[tuple[str, Any]] = []

    def record(execute: Any, *arguments: Any) -> Any:
        if arguments[0].lstrip().startswith("SELECT"):
            executed.append(arguments[:2])
        return execute(*arguments)

    with connection.execute_wrapper(record):
        assert client.get(f"/api/v1/{path}").status_code == 200
    with connection.cursor() as cursor:
        found = []
        for sql, params in executed:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
            found.append(cursor.fetchone()[0][0]["Plan"])
    return found


def nodes(plan: Any) -> Iterator[Any]:
    """Yield every node of a plan."""
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def rows_read(plan: Any) -> int:
    """Return the rows that a node has read, including those it filtered out."""
    left = sum(plan.get(name, 0) for name in ("Rows Removed by Filter", "Rows Removed by Join Filter"))
    return int((plan["Actual Rows"] + left) * plan["Actual Loops"])


def test_a_page_costs_the_same_with_thirty_and_with_ten_thousand_matches(
    busy: tuple[Player, Player, APIClient],
) -> None:
    player, other, client = busy
    before = count_round_trips(client)
    store(STORED - FEW, player, other)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert count_round_trips(client) == before
    for path in LISTS:
        for plan in plans(client, path):
            for step in nodes(plan):
                seq = step["Node Type"] == "Seq Scan" and step["Relation Name"] in {
                    "games_match",
                    "games_seat",
                }
                assert not seq, (path, step)
                assert rows_read(step) <= MOST_ROWS, (path, step)
