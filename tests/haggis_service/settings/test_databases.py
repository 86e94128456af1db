import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from psycopg import adapters
from psycopg.pq import Format

from games.models import Player
from haggis_service.settings.databases import database as settings_of


def value(statement: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_what_an_address_asks_for_is_kept_beside_what_the_service_needs() -> None:
    options = settings_of("postgres://haggis@db/haggis?sslmode=require")["OPTIONS"]
    assert options["sslmode"] == "require"
    assert options["prepare_threshold"] == 5


def test_a_connection_to_postgresql_outlives_a_request() -> None:
    assert settings_of("postgres://haggis@db/haggis")["CONN_MAX_AGE"] == 600


def test_a_statement_may_be_given_more_time_or_all_of_it() -> None:
    for seconds in (300, 0):
        options = settings_of("postgres://haggis@db/haggis", statement_seconds=seconds)["OPTIONS"]
        assert f"-c statement_timeout={seconds}s" in options["options"]


@pytest.mark.parametrize("address", ("mysql://haggis@db/haggis", "oracle://haggis@db/haggis"))
def test_a_database_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="must begin with sqlite: or postgres:"):
        settings_of(address)


def test_a_test_runs_on_the_database_that_it_asks_for(database: str) -> None:
    assert connection.vendor == database


def test_what_one_test_leaves_behind_no_other_finds(committing_database: str) -> None:
    assert connection.vendor == committing_database
    assert not Player.objects.exists()
    Player.objects.create_user("heather")


@pytest.mark.django_db
def test_sqlite_lets_readers_go_on_while_somebody_writes_and_keeps_what_it_acknowledged() -> None:
    full = 2
    assert (value("PRAGMA journal_mode"), value("PRAGMA synchronous")) == ("wal", full)


@pytest.mark.django_db(transaction=True)
def test_a_transaction_on_sqlite_holds_the_lock_before_it_writes() -> None:
    with transaction.atomic():
        neighbour = sqlite3.connect(connection.settings_dict["NAME"], timeout=0)
        with closing(neighbour), pytest.raises(sqlite3.OperationalError, match="locked"):
            neighbour.execute("BEGIN IMMEDIATE")


@pytest.mark.django_db(transaction=True)
def test_a_new_connection_to_sqlite_reads_json_while_somebody_writes() -> None:
    connection.close()
    reader = connection.copy()
    reader.settings_dict["OPTIONS"] = reader.settings_dict["OPTIONS"] | {"timeout": 0}
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert reader.features.supports_json_field
        with closing(reader), reader.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM games_match")
            assert cursor.fetchone() == (0,)


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_prepares_a_statement_that_is_used_often() -> None:
    for _ in range(10):
        value("SELECT 'as often as this'")
    assert value("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%as often as this%'") == 1


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_waits_neither_for_a_statement_nor_for_a_lock_for_ever() -> None:
    limits = [
        value(f"SHOW {name}")
        for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    ]
    assert limits == ["30s", "10s", "1min"]


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_tells_moments_in_utc_by_whichever_cursor() -> None:
    moment = datetime(2026, 2, 3, 4, 5, 6, 789_012, tzinfo=UTC)
    player = Player.objects.create_user("heather")
    Player.objects.filter(pk=player.pk).update(vacation_since=moment)
    [read], [among_many] = (
        Player.objects.values_list("vacation_since", flat=True),
        Player.objects.values_list("vacation_since", flat=True).iterator(chunk_size=1),
    )
    assert read is not None
    assert read == among_many == moment
    assert read.tzinfo is among_many.tzinfo is UTC
    assert value("SELECT '2026-02-03 04:05:06.789012+02'::timestamptz") == moment - timedelta(hours=2)


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_reads_moments_by_its_driver() -> None:
    with connection.cursor() as cursor:
        reader = cursor.cursor.adapters.get_loader(adapters.types["timestamptz"].oid, Format.TEXT)
    assert reader is adapters.get_loader(adapters.types["timestamptz"].oid, Format.TEXT)
