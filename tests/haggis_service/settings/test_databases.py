import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from psycopg import adapters
from psycopg.pq import Format

from games.identity.models import Player
from haggis_service.settings.databases import database as database_settings


def query_value(statement: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_url_options_are_merged_with_the_service_options() -> None:
    options = database_settings("postgres://haggis@db/haggis?sslmode=require")["OPTIONS"]
    assert options["sslmode"] == "require"
    assert options["prepare_threshold"] == 5


def test_postgresql_connections_are_persistent() -> None:
    assert database_settings("postgres://haggis@db/haggis")["CONN_MAX_AGE"] == 600


def test_statement_timeout_can_be_changed_or_disabled() -> None:
    for seconds in (300, 0):
        options = database_settings("postgres://haggis@db/haggis", statement_seconds=seconds)["OPTIONS"]
        assert f"-c statement_timeout={seconds}s" in options["options"]


@pytest.mark.parametrize("address", ("mysql://haggis@db/haggis", "oracle://haggis@db/haggis"))
def test_unsupported_database_is_rejected(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="must begin with sqlite: or postgres:"):
        database_settings(address)


def test_database_fixture_selects_the_database(database: str) -> None:
    assert connection.vendor == database


def test_tests_are_isolated_from_each_other(committing_database: str) -> None:
    assert connection.vendor == committing_database
    assert not Player.objects.exists()
    Player.objects.create_user("heather")


@pytest.mark.django_db
def test_sqlite_uses_wal_and_full_synchronous_mode() -> None:
    synchronous_full = 2
    assert (query_value("PRAGMA journal_mode"), query_value("PRAGMA synchronous")) == (
        "wal",
        synchronous_full,
    )


@pytest.mark.django_db(transaction=True)
def test_sqlite_transaction_takes_the_write_lock_when_it_begins() -> None:
    with transaction.atomic():
        other_connection = sqlite3.connect(connection.settings_dict["NAME"], timeout=0)
        with closing(other_connection), pytest.raises(sqlite3.OperationalError, match="locked"):
            other_connection.execute("BEGIN IMMEDIATE")


@pytest.mark.django_db(transaction=True)
def test_new_sqlite_connection_reads_json_during_a_write_transaction() -> None:
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
def test_postgresql_prepares_repeated_statements() -> None:
    for _ in range(10):
        query_value("SELECT 'as often as this'")
    assert (
        query_value("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%as often as this%'")
        == 1
    )


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_timeouts_are_set() -> None:
    limits = [
        query_value(f"SHOW {name}")
        for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    ]
    assert limits == ["30s", "10s", "1min"]


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_returns_utc_timestamps_from_client_and_server_cursors() -> None:
    timestamp = datetime(2026, 2, 3, 4, 5, 6, 789_012, tzinfo=UTC)
    player = Player.objects.create_user("heather")
    Player.objects.filter(pk=player.pk).update(vacation_since=timestamp)
    [single], [iterated] = (
        Player.objects.values_list("vacation_since", flat=True),
        Player.objects.values_list("vacation_since", flat=True).iterator(chunk_size=1),
    )
    assert single is not None
    assert single == iterated == timestamp
    assert single.tzinfo is iterated.tzinfo is UTC
    assert query_value("SELECT '2026-02-03 04:05:06.789012+02'::timestamptz") == timestamp - timedelta(
        hours=2
    )


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.usefixtures("database")
def test_postgresql_uses_the_timestamp_loader_of_psycopg() -> None:
    with connection.cursor() as cursor:
        reader = cursor.cursor.adapters.get_loader(adapters.types["timestamptz"].oid, Format.TEXT)
    assert reader is adapters.get_loader(adapters.types["timestamptz"].oid, Format.TEXT)
