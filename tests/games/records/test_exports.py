"""Files of the data set: what they contain, when they are written again, and how they are downloaded."""

import csv
import gzip
import hashlib
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.test import Client

from games.identity.models import Player
from games.matches.models.match import Match
from games.privacy.services import delete_account
from games.records import exports
from games.records.exports import MAX_ATTEMPTS, plan_exports, retry_export, write_next_export
from games.records.models import DatasetFile
from games.records.publication import publish_finished_matches, withdraw_record
from tests.support.clients import HttpPlayer
from tests.support.contract import schema_errors
from tests.support.factories import make_player
from tests.support.table import Table

Json = Any
NOW = datetime(2026, 11, 3, 5, tzinfo=UTC)
OCTOBER = "haggis-2026-10.ndjson.gz"


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.HAGGIS_EXPORTS_DIR = tmp_path / "exports"


def publish(*players: Player, at: datetime) -> str:
    """Play a match that ended at a time, and publish it."""
    table = Table.start(*players, rounds=1).resign(players[0].username)
    Match.objects.filter(pk=table.id).update(finished_at=at)
    publish_finished_matches()
    return table.id


def write_all(now: datetime = NOW) -> None:
    plan_exports(now=now)
    while write_next_export():
        pass


def listed() -> dict[str, Json]:
    response = Client().get("/api/v1/exports")
    assert response.status_code == 200, response.content
    return {each["name"]: each for each in response.json()["results"]}


def download(name: str, **headers: str) -> Any:
    return Client().get(f"/api/v1/exports/{name}", headers=headers)


def lines(name: str) -> list[Json]:
    return [json.loads(line) for line in gzip.decompress(download(name).content).splitlines()]


def named() -> dict[str, str]:
    rows = csv.DictReader(io.StringIO(download("players.csv").content.decode()))
    return {row["username"]: row["player"] for row in rows}


def test_finished_months_are_written_in_both_formats(database: str) -> None:
    anna, ben = make_player(), make_player()
    days = (datetime(2026, 9, 30, 23, 59, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC), NOW)
    september, october, _november = [publish(anna, ben, at=day) for day in days]
    write_all()
    files = listed()
    assert list(files) == [
        "players.csv",
        OCTOBER,
        "haggis-2026-10.parquet",
        "haggis-2026-09.ndjson.gz",
        "haggis-2026-09.parquet",
    ]
    assert [line["record"]["match"] for line in lines("haggis-2026-09.ndjson.gz")] == [september]
    (line,) = lines(OCTOBER)
    assert (line["record"]["match"], files[OCTOBER]["rows"], files[OCTOBER]["month"]) == (
        october,
        1,
        "2026-10",
    )
    content = download(OCTOBER).content
    assert files[OCTOBER]["sha256"] == hashlib.sha256(content).hexdigest()
    assert files[OCTOBER]["bytes"] == len(content)
    assert files[OCTOBER]["licence"] == "CC0-1.0"
    (row,) = pq.read_table(io.BytesIO(download("haggis-2026-10.parquet").content)).to_pylist()
    record = line["record"]
    assert (row["match"], row["seats"], row["kind"]) == (october, record["seats"], "human")
    assert row["rounds"][0]["hands"] == record["rounds"][0]["hands"]
    assert schema_errors("Export", files[OCTOBER]) == []


def test_parquet_has_every_action_of_the_records(database: str) -> None:
    table = Table.start("anna", "random", rounds=2).finish()
    Match.objects.filter(pk=table.id).update(finished_at=datetime(2026, 10, 5, tzinfo=UTC))
    publish_finished_matches()
    write_all()
    (line,) = lines(OCTOBER)
    (row,) = pq.read_table(io.BytesIO(download("haggis-2026-10.parquet").content)).to_pylist()
    for written, recorded in zip(row["rounds"], line["record"]["rounds"], strict=True):
        assert written["points"] == [each["total"] for each in recorded["scores"]]
        assert [(each["seat"], each["type"], each["cards"], each["at"]) for each in written["actions"]] == [
            (each["seat"], each["type"], each.get("cards"), each["at"]) for each in recorded["actions"]
        ]


def test_a_month_waits_until_its_matches_are_published(database: str) -> None:
    anna, ben = make_player(), make_player()
    publish(anna, ben, at=datetime(2026, 10, 1, tzinfo=UTC))
    table = Table.start(anna, ben, rounds=1).resign(anna.username)
    Match.objects.filter(pk=table.id).update(finished_at=datetime(2026, 10, 2, tzinfo=UTC))
    write_all()
    assert OCTOBER not in listed()
    publish_finished_matches()
    write_all()
    assert listed()[OCTOBER]["rows"] == 2


def test_a_month_is_written_again_after_a_withdrawal_and_a_late_match(database: str) -> None:
    anna, ben = make_player(), make_player()
    first, second = (publish(anna, ben, at=datetime(2026, 10, day, tzinfo=UTC)) for day in (1, 2))
    write_all()
    before = listed()[OCTOBER]["sha256"]
    withdraw_record(match_id=first)
    write_all()
    assert [line["record"]["match"] for line in lines(OCTOBER)] == [second]
    assert listed()[OCTOBER]["sha256"] != before
    publish(anna, ben, at=datetime(2026, 10, 3, tzinfo=UTC))
    write_all()
    assert listed()[OCTOBER]["rows"] == 2
    assert not write_next_export()


def test_names_explain_the_pseudonyms_of_existing_accounts_only(database: str) -> None:
    anna, ben, cleo = make_player(), make_player(), make_player()
    publish(anna, ben, at=datetime(2026, 10, 1, tzinfo=UTC))
    unlisted = Table.start(anna, cleo, rounds=1, visibility="unlisted").resign(anna.username)
    publish_finished_matches()
    write_all()
    (line,) = lines(OCTOBER)
    assert [named()[player.username] for player in (anna, ben)] == line["record"]["seats"]
    assert cleo.username not in named(), unlisted.id
    delete_account(player=ben)
    write_all()
    assert set(named()) == {anna.username}
    assert lines(OCTOBER) == [line]
    DatasetFile.objects.update(written_at=NOW)
    Player.objects.filter(pk=anna.pk).update(username="anna-renamed")
    write_all(NOW + timedelta(hours=23))
    assert set(named()) == {anna.username}
    write_all(NOW + timedelta(hours=24))
    assert set(named()) == {"anna-renamed"}


def test_a_failed_file_is_retried_and_then_waits_for_an_operator(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = make_player(), make_player()
    publish(anna, ben, at=datetime(2026, 10, 1, tzinfo=UTC))
    write_all()
    content = download(OCTOBER).content

    def fail(*_: Any) -> Any:
        raise OSError("stored words")

    monkeypatch.setattr(exports, "file_digest", fail)
    file = DatasetFile.objects.get(name=OCTOBER)
    retry_export(file_id=file.pk)
    for _ in range(MAX_ATTEMPTS):
        assert write_next_export()
        DatasetFile.objects.filter(pk=file.pk, wake_at__isnull=False).update(wake_at=NOW)
    assert not write_next_export()
    file.refresh_from_db()
    assert (file.status, file.fault) == ("failed", "OSError")
    assert "stored words" not in caplog.text
    assert download(OCTOBER).content == content
    assert [path.name for path in exports.exports_folder().iterdir() if path.name.startswith(".")] == []
    monkeypatch.undo()
    retry_export(file_id=file.pk)
    assert write_next_export()
    file.refresh_from_db()
    assert file.status == "current"


def test_a_download_can_be_continued(database: str) -> None:
    anna, ben = make_player(), make_player()
    publish(anna, ben, at=datetime(2026, 10, 1, tzinfo=UTC))
    write_all()
    whole = download(OCTOBER)
    content, tag = whole.content, whole.headers["ETag"]
    assert tag == f'"{listed()[OCTOBER]["sha256"]}"'
    part = download(OCTOBER, **{"Range": "bytes=10-", "If-Range": tag})
    assert (part.status_code, part.content) == (206, content[10:])
    assert part.headers["Content-Range"] == f"bytes 10-{len(content) - 1}/{len(content)}"
    assert download(OCTOBER, **{"Range": "bytes=10-", "If-Range": '"older"'}).content == content
    assert download(OCTOBER, **{"If-None-Match": tag}).status_code == 304
    assert download("haggis-2025-01.parquet").status_code == 404


def test_the_proxy_sends_files_if_it_can(database: str, settings: Any) -> None:
    publish(make_player(), make_player(), at=datetime(2026, 10, 1, tzinfo=UTC))
    write_all()
    settings.HAGGIS_EXPORTS_ACCEL = "/protected-exports/"
    response = download(OCTOBER)
    assert (response.content, response.headers["X-Accel-Redirect"]) == (b"", f"/protected-exports/{OCTOBER}")


def test_the_files_do_not_depend_on_the_viewer(database: str) -> None:
    anna, ben = make_player(), make_player()
    publish(anna, ben, at=datetime(2026, 10, 1, tzinfo=UTC))
    write_all()
    viewer = HttpPlayer.log_in(player=anna)
    assert viewer.request("GET", f"exports/{OCTOBER}").content == download(OCTOBER).content
