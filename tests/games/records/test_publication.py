"""Published records: each public finished match once, in an order that readers can follow, without names."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from django.db import connections
from django.http.response import HttpResponse
from django.test import Client

from engine.records.reading import read_record
from engine.records.replay import replay
from games.ai.services import take_turn
from games.gateway.ai import LEVEL_NAMES
from games.gateway.records import parse_record
from games.identity.models import Player
from games.matches.models.match import Match
from games.privacy.services import delete_account
from games.records import publication
from games.records import published as published_records
from games.records.models import Dataset, PublishedRecord
from games.records.pseudonyms import pseudonym
from games.records.publication import publish_finished_matches, withdraw_record
from games.records.queries import build_match_record
from games.records.services import ImportOptions, import_record
from games.records.tasks import publish_records
from tests.support.clients import HttpPlayer
from tests.support.contract import schema_errors
from tests.support.factories import make_player, read_row, start_match
from tests.support.table import Table

Json = Any
ADDRESS = "/api/v1/records"


def get(query: str = "", **headers: str) -> HttpResponse:
    response = cast("HttpResponse", Client().get(f"{ADDRESS}?{query}", headers=headers))
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "application/x-ndjson"
    return response


def parse(content: bytes) -> list[Json]:
    return [json.loads(line) for line in content.splitlines()]


def read(query: str = "") -> list[Json]:
    return parse(get(query).content)


def numbers(query: str = "") -> list[int]:
    return [line["number"] for line in read(query)]


def matches(query: str = "") -> list[str]:
    return [line["record"]["match"] for line in read(query)]


def play(*players: str | Player, **settings: Json) -> Table:
    """Start a match and end it at once: its first player resigns."""
    table = Table.start(*players, rounds=1, **settings)
    name = next(name for name in table.seats if name not in LEVEL_NAMES)
    table.resign(name)
    return table if table.status == "finished" else table.finish()


def play_ais() -> Match:
    match = start_match("random", "random", rounds=1)
    while take_turn(match_id=match.pk, version=match.version):
        match.refresh_from_db()
    return match


def test_a_line_is_the_record_of_the_match_with_pseudonyms(database: str) -> None:
    table = Table.start("anna", "random", "ben", rounds=2).finish()
    publish_records()
    (line,) = read()
    match = Match.objects.get(pk=table.id)
    key = Dataset.objects.get().pseudonym_key
    record = build_match_record(read_row(match))
    people = {table[name].username: table[name].player for name in ("anna", "ben")}
    assert line["record"] == record | {
        "seats": [pseudonym(people[name].pk, key) if name in people else name for name in record["seats"]]
    }
    assert (line["number"], line["kind"], line["kinds"]) == (1, "mixed", ["guest", "ai", "guest"])
    assert schema_errors("Record", line["record"]) == []
    assert replay(read_record(line["record"])).as_json() == {"valid": True, "deals": "proven"}
    assert not any(name in json.dumps(line) for name in people)


def test_only_public_finished_matches_are_published(database: str) -> None:
    anna, ben = make_player(), make_player()
    shown = Table.start(anna, ben, rounds=1).finish()
    resigned = Table.start(anna, ben).resign(anna.username)
    for visibility in ("unlisted", "private"):
        hidden = play(anna, ben, visibility="unlisted")
        Match.objects.filter(pk=hidden.id).update(visibility=visibility)
    annulled = play(anna, ben)
    Match.objects.filter(pk=annulled.id).update(
        result={"winners": [], "scores": [0, 0], "reason": "annulled"}
    )
    running = Table.start(anna, ben)
    record: Json = shown[anna.username].get("/record").json()
    import_record(
        record=parse_record(json.dumps({**record, "match": "m_elsewhere"}).encode()),
        options=ImportOptions(maker=anna, visibility="public"),
    )
    publish_records()
    assert matches() == [shown.id, resigned.id]
    assert not Match.objects.filter(status="finished", record_published=False).exists()
    running.resign(ben.username)
    publish_records()
    assert matches() == [shown.id, resigned.id, running.id]


def test_matches_that_finished_before_are_published_in_batches_in_order_of_their_end(database: str) -> None:
    tables = [play("anna", "ben") for _ in range(5)]
    end = Match.objects.get(pk=tables[0].id).finished_at
    assert end is not None
    for number, table in enumerate(tables):
        Match.objects.filter(pk=table.id).update(finished_at=end - timedelta(days=number))
    assert [publish_finished_matches(at_most=2) for _ in range(4)] == [2, 2, 1, 0]
    assert matches() == [table.id for table in reversed(tables)]
    assert numbers() == [1, 2, 3, 4, 5]


def test_a_match_is_published_once_if_the_task_dies_in_between(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play("anna", "ben")
    original = publication._store

    def die(*arguments: Any) -> None:
        original(*arguments)
        raise SystemExit

    monkeypatch.setattr(publication, "_store", die)
    with pytest.raises(SystemExit):
        publish_records()
    assert not PublishedRecord.objects.exists()
    monkeypatch.undo()
    publish_records()
    publish_records()
    assert numbers() == [1]


def test_a_match_that_cannot_be_read_does_not_block_the_others(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = play("anna", "ben"), play("cleo", "dora")

    def fail(row: Any) -> Any:
        if row.id == broken.id:
            raise ValueError("stored words")
        return build_match_record(row)

    monkeypatch.setattr(publication, "build_match_record", fail)
    publish_records()
    assert matches() == [whole.id]
    assert f"publishing match {broken.id} failed with ValueError" in caplog.text
    assert "stored words" not in caplog.text
    monkeypatch.undo()
    publish_records()
    assert matches() == [whole.id, broken.id]


def test_a_number_is_not_used_again_after_a_withdrawal(database: str) -> None:
    first, second = play("anna", "ben"), play("anna", "ben")
    publish_records()
    assert withdraw_record(match_id=second.id)
    assert not withdraw_record(match_id=second.id)
    third = play("anna", "ben")
    publish_records()
    assert [(line["number"], line["record"]["match"]) for line in read()] == [(1, first.id), (3, third.id)]


def test_a_reader_who_follows_never_misses_a_number(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several workers publish at once, with pauses before they commit, while a reader follows."""
    total = 12
    for _ in range(total):
        play_ais()
    original = publication._store

    def store_slowly(records: Any) -> None:
        original(records)
        time.sleep(0.02)

    monkeypatch.setattr(publication, "_store", store_slowly)
    done = threading.Event()
    seen: list[int] = []

    def follow() -> None:
        while not done.is_set() or numbers(f"cursor={seen[-1] if seen else 0}"):
            seen.extend(numbers(f"cursor={seen[-1] if seen else 0}&limit=5"))
        connections.close_all()

    def work() -> None:
        while publish_finished_matches(at_most=1):
            pass
        connections.close_all()

    reader = threading.Thread(target=follow)
    workers = [threading.Thread(target=work) for _ in range(4)]
    for thread in (reader, *workers):
        thread.start()
    for thread in workers:
        thread.join()
    done.set()
    reader.join()
    assert seen == list(range(1, total + 1))
    assert Dataset.objects.get().last_number == total


def pages(query: str) -> Iterator[list[int]]:
    """Yield the numbers of every page, following `Link`."""
    while True:
        response = get(query)
        yield [line["number"] for line in parse(response.content)]
        link = response.headers.get("Link")
        if link is None:
            return
        assert link.endswith('>; rel="next"')
        query = urlsplit(link[1:].partition(">")[0]).query


def test_pages_are_limited_by_lines_and_bytes_and_linked(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        play("anna", "ben")
    publish_records()
    assert list(pages("limit=2")) == [[1, 2], [3, 4], [5]]
    assert numbers("cursor=2&limit=2") == [3, 4]
    assert numbers("cursor=99") == []
    monkeypatch.setattr(published_records, "MAX_BYTES", 1)
    assert list(pages("players=2")) == [[1], [2], [3], [4], [5]]
    assert "players=2" in get("players=2").headers["Link"]


def test_filters(database: str) -> None:
    tables = [
        play("anna", "ben"),
        play("anna", "random", ruleset="revised"),
        play("anna", "ben", "cleo"),
    ]
    ids = [*(table.id for table in tables), play_ais().pk]
    end = Match.objects.get(pk=ids[0]).finished_at
    assert end is not None
    for number, match_id in enumerate(ids):
        Match.objects.filter(pk=match_id).update(finished_at=end.replace(2026, 1, 1 + number, 12))
    publish_records()
    assert numbers("ruleset=revised") == [2]
    assert numbers("players=3") == [3]
    assert [numbers(f"kind={kind}") for kind in ("human", "mixed", "bot")] == [[1, 3], [2], [4]]
    assert numbers("since=2026-01-02") == [2, 3, 4]
    assert numbers("until=2026-01-02") == [1]
    assert numbers("since=2026-01-02T12:00:00Z&until=2026-01-03T13:00:00%2B01:00") == [2]
    for query in (
        "since=yesterday",
        "kind=people",
        "players=4",
        "cursor=-1",
        "limit=0",
        "page=2",
        "kind=bot&kind=bot",
    ):
        assert Client().get(f"{ADDRESS}?{query}").status_code == 400, query


def test_compressed_lines_are_the_same_and_a_current_copy_is_not_sent_again(database: str) -> None:
    for _ in range(3):
        play("anna", "ben")
    publish_records()
    plain, compressed = get(), get(**{"Accept-Encoding": "br, gzip"})
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert gzip.decompress(compressed.content) == plain.content
    tag = plain.headers["ETag"]
    assert Client().get(f"{ADDRESS}?", headers={"If-None-Match": tag}).status_code == 304
    play("anna", "ben")
    publish_records()
    assert Client().get(f"{ADDRESS}?", headers={"If-None-Match": tag}).status_code == 200


def test_the_pseudonym_of_a_player_stays_when_the_player_is_renamed_or_deleted(database: str) -> None:
    anna, ben = make_player(), make_player()
    play(anna, ben)
    publish_records()
    Player.objects.filter(pk=anna.pk).update(username="anna-renamed")
    play(Player.objects.get(pk=anna.pk), ben)
    delete_account(player=ben)
    publish_records()
    first, second = (line["record"]["seats"] for line in read())
    assert first == second
    assert len(set(first)) == 2
    assert all(name.startswith("p_") for name in first)


def test_records_do_not_depend_on_the_viewer(database: str) -> None:
    table = play("anna", "ben")
    publish_records()
    viewer: HttpPlayer = table["anna"]
    assert viewer.request("GET", "records").content == get().content
