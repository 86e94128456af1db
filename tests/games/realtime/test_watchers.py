"""Who watches matches, and which matches can be watched."""

import asyncio
import threading
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.matches.models.match import Match
from games.realtime import watchers
from games.realtime.formats import MatchStreamRequest, StreamReader
from games.realtime.handler import DatabaseThreadPool
from games.realtime.remote_connections import WATCHERS, exchange_counts, read_counts
from games.realtime.streams import MatchStream
from games.realtime.topics import Topics
from games.realtime.watchers import WatcherCounts, count_watchers
from tests.support.clients import HttpPlayer
from tests.support.factories import make_match, make_player, start_match

Json = Any


@pytest.fixture(autouse=True)
def no_counts() -> None:
    """Begin without counts of other tests."""
    cache.delete(WATCHERS)


def watch(query: str = "") -> Json:
    response = Client().get(f"/api/v1/watch{query}")
    assert response.status_code == 200, response.content
    return response.json()


def test_players_with_a_seat_do_not_watch_and_others_count_once(database: str) -> None:
    seated, watcher = make_player(), make_player()
    match, other = start_match(seated, make_player()), start_match(seated, make_player())
    counts = count_watchers(
        [
            (match.pk, seated.pk),
            (match.pk, watcher.pk),
            (match.pk, watcher.pk),
            (match.pk, None),
            (match.pk, None),
            (other.pk, watcher.pk),
        ]
    )
    assert counts == {match.pk: 3, other.pk: 1}


def test_counts_of_all_processes_are_added_and_end_with_them() -> None:
    exchange_counts(WATCHERS, "a", {"m_1": 2})
    exchange_counts(WATCHERS, "b", {"m_1": 1, "m_2": 4})
    assert read_counts(WATCHERS) == {"m_1": 3, "m_2": 4}
    exchange_counts(WATCHERS, "b", {})
    assert read_counts(WATCHERS) == {"m_1": 2}


def test_a_process_publishes_its_watchers_and_none_on_exit(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    published = threading.Event()
    publish = watchers._publish_counts

    def record(process: str, found: Any) -> None:
        publish(process, found)
        seen.append(read_counts(WATCHERS)["m_1"])
        published.set()

    monkeypatch.setattr(watchers, "_publish_counts", record)
    monkeypatch.setattr(watchers, "PUBLISH_INTERVAL_SECONDS", 0.01)

    async def send(_: Any) -> None:
        """Discard the message."""

    async def run() -> None:
        pool = DatabaseThreadPool(1)
        topics = Topics(pool)
        streams = [
            MatchStream(
                MatchStreamRequest(
                    reader=StreamReader(player_id=None, token=None, media_type="text/event-stream"),
                    match_id="m_1",
                    version=1,
                    after=1,
                    is_over=False,
                    watches=watches,
                ),
                send,
                topics,
                pool,
            )
            for watches in (True, False, True)
        ]
        counting = asyncio.create_task(WatcherCounts(streams, pool).run())
        await asyncio.to_thread(published.wait, 20)
        counting.cancel()
        with suppress(asyncio.CancelledError):
            await counting
        pool.close()

    asyncio.run(run())
    assert set(seen) == {2}
    assert read_counts(WATCHERS)["m_1"] == 0


def test_the_list_has_running_public_matches_with_their_watchers(database: str) -> None:
    shown = start_match(make_player(), make_player())
    start_match(make_player(), make_player(), visibility="unlisted")
    make_match(make_player(), make_player())
    three = start_match(make_player(), make_player(), make_player())
    exchange_counts(WATCHERS, "a", {shown.pk: 5})
    assert [(each["id"], each["watchers"]) for each in watch()["results"]] == [(three.pk, 0), (shown.pk, 5)]
    assert [each["id"] for each in watch("?players=3")["results"]] == [three.pk]
    first = watch("?limit=1")
    assert first["next"] is not None
    assert watch(first["next"].partition("watch")[2])["results"][0]["id"] == shown.pk


def test_the_featured_match_is_the_most_watched_one_with_recent_activity(database: str) -> None:
    assert watch()["featured"] is None
    with_ai = start_match(make_player(), "easy")
    people, watched = start_match(make_player(), make_player()), start_match(make_player(), make_player())
    quiet = start_match(make_player(), make_player())
    hidden = start_match(make_player(), make_player(), visibility="private")
    start_match(make_player(), "easy")
    Match.objects.filter(pk=quiet.pk).update(version=0)
    exchange_counts(WATCHERS, "a", {watched.pk: 1, quiet.pk: 7, hidden.pk: 9})
    assert (watch()["featured"]["id"], watch()["featured"]["watchers"]) == (watched.pk, 1)
    exchange_counts(WATCHERS, "a", {})
    assert watch()["featured"]["id"] in {people.pk, watched.pk}
    Match.objects.exclude(pk=with_ai.pk).update(visibility="unlisted")
    assert watch()["featured"]["id"] == with_ai.pk


def test_a_match_without_a_recent_action_is_not_featured(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_match(make_player(), make_player())
    monkeypatch.setattr(watchers, "LIVE_PERIOD", timedelta())
    assert watch()["featured"] is None


def test_the_number_of_watchers_is_shown_to_those_who_may_see_the_match(database: str) -> None:
    maker = make_player()
    match = start_match(maker, make_player(), visibility="private")
    exchange_counts(WATCHERS, "a", {match.pk: 2})
    assert Client().get(f"/api/v1/matches/{match.pk}/watchers").status_code == 404
    shown = HttpPlayer.log_in(player=maker).request("GET", f"matches/{match.pk}/watchers")
    assert shown.json() == {"watchers": 2}


def test_listing_takes_the_same_number_of_queries_for_any_number_of_matches(database: str) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            start_match(make_player(), make_player())
        with CaptureQueriesContext(connection) as queries:
            watch()
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[1] <= 6


@pytest.mark.parametrize("query", ("?colour=red", "?players=4", "?players=2&players=3", "?cursor=x"))
def test_invalid_unknown_and_repeated_parameters_are_refused(database: str, query: str) -> None:
    response = Client().get(f"/api/v1/watch{query}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")
