"""The literal SQL of `games.matches.store` agrees with the models, in PostgreSQL and SQLite."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Thread
from typing import Any

import psycopg
import pytest
from django.db import (
    DEFAULT_DB_ALIAS,
    DataError,
    OperationalError,
    connection,
    connections,
    transaction,
)
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from knox.crypto import hash_token

from games.core import compact_json
from games.identity.models import ApiToken, Closing, Player
from games.identity.services import close_account, log_in_token
from games.lobby.services.creation import create_match
from games.matches.models.match import Match, Seat, SeatState
from games.matches.store import (
    MatchRow,
    SeatRow,
    driver_of,
    fetch,
    find_match,
    find_matches,
    find_token,
    find_token_and_match,
)
from games.play.resignation import resign
from tests.support.factories import JsonObject, make_match, make_player, start_match

on_postgresql = pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)

RELATED_COLUMNS = {"maker", "snapshot_version", "snapshot", "now", "seats"}
PLAYER_COLUMNS = {"username", "kind", "vacation_until", "preferences", "has_confirmed_email", "time_zone"}


def make_matches_of_every_kind() -> list[Match]:
    """Create matches that are open, active, with AIs, with a player on vacation, and finished."""
    away = make_player(
        notifications={"email": ["your_turn"]},
        email_confirmed=True,
        time_zone="Europe/London",
        vacation_until=datetime(2026, 12, 24, 18, tzinfo=UTC),
    )
    gone = make_player(notifications={"push": ["your_turn"]})
    seats: list[JsonObject] = [{"kind": "me"}, {"kind": "player", "username": away.username}]
    waiting = create_match(maker=make_player(), body={"ruleset": "classic", "seats": seats})
    over = start_match(first := make_player(), make_player(), rounds=3)
    resign(match_id=over.pk, player=first)
    left_behind = make_match(gone, "easy", options={"bomb_capture": "winner_chooses"})
    close_account(player=gone, closing=Closing.BAN)
    return [
        left_behind,
        Match.objects.get(pk=waiting["id"]),
        start_match(away, make_player(), turn_seconds=60, time_bank_seconds=30),
        start_match("easy", "random", "easy", hints=True),
        Match.objects.get(pk=over.pk),
    ]


def test_match_row_has_the_values_of_the_model(database: str) -> None:
    for match in make_matches_of_every_kind():
        row = find_match(match.pk)
        assert row is not None
        # Only the order of AI turns, the statistics and the published records read these.
        columns = {field.attname for field in Match._meta.concrete_fields} - {
            "turn_order",
            "statistics_counted",
            "record_published",
        }
        assert columns == set(MatchRow._fields) - RELATED_COLUMNS
        for name in columns:
            expected = getattr(Match.objects.get(pk=match.pk), name)
            assert (name, getattr(row, name), type(getattr(row, name))) == (name, expected, type(expected))
        assert row.maker == match.maker.username
        assert compact_json.load_json(row.snapshot.reveal()) == match.snapshot.state.reveal()
        assert row.snapshot_version == match.snapshot.version
        assert abs((timezone.now() - row.now).total_seconds()) < 60


def test_seat_rows_have_the_values_of_the_models_in_order(database: str) -> None:
    for match in make_matches_of_every_kind():
        row = find_match(match.pk)
        assert row is not None
        seats = list(Seat.objects.filter(match=match).select_related("player").order_by("number"))
        assert [seat.number for seat in row.seats] == [seat.number for seat in seats]
        for seat, model in zip(row.seats, seats, strict=True):
            for name in set(SeatRow._fields) - PLAYER_COLUMNS:
                assert (name, getattr(seat, name)) == (name, getattr(model, name))
            assert_player_columns(seat, model.player)


def assert_player_columns(seat: SeatRow, player: Player | None) -> None:
    if player is None:
        assert {getattr(seat, name) for name in PLAYER_COLUMNS} == {None}
        return
    for name in ("username", "kind", "vacation_until", "time_zone"):
        assert (name, getattr(seat, name)) == (name, getattr(player, name))
    assert bool(seat.has_confirmed_email) == player.email_confirmed
    preferences = None if seat.preferences is None else compact_json.load_json(seat.preferences)
    assert preferences == (player.notifications if player.is_active else None)


def test_find_matches_reads_several_matches_in_one_query(database: str) -> None:
    matches = [match.pk for match in make_matches_of_every_kind()]
    with CaptureQueriesContext(connection) as queries:
        found = {row.id: row for row in find_matches([*matches, matches[0], "m_nowhere", "' OR 1=1 --"])}
    assert len(queries) == 1
    assert found.keys() == set(matches)
    for match_id in matches:
        alone = find_match(match_id)
        assert alone is not None
        assert alone._replace(now=found[match_id].now) == found[match_id]
    assert find_matches([]) == []


def test_token_and_player_have_the_values_of_the_models(database: str) -> None:
    player = make_player("heather", notifications={"email": ["your_turn"]}, email="h@example.org")
    digest = hash_token(log_in_token(player=player).secret)
    stored = ApiToken.objects.select_related("user").get(user=player)
    for token in (find_token(digest), find_token_and_match(digest, "m_nowhere")[0]):
        assert token is not None
        assert token == stored.row()
        assert not token.player._state.adding
        for field in Player._meta.concrete_fields:
            assert getattr(token.player, field.attname) == getattr(stored.user, field.attname)


def test_a_token_without_expiry_has_none(database: str) -> None:
    digest = hash_token(log_in_token(player=make_player()).secret)
    ApiToken.objects.update(expiry=None, sliding=None)
    for token in (find_token(digest), find_token_and_match(digest, "m_nowhere")[0]):
        assert token is not None
        assert (token.expiry, token.sliding) == (None, None)


def test_token_and_match_are_read_in_one_round_trip(database: str) -> None:
    match, player = start_match(make_player(), make_player()), make_player()
    digest = hash_token(log_in_token(player=player).secret)
    with CaptureQueriesContext(connection) as queries:
        token, row = find_token_and_match(digest, match.pk)
    assert len(queries) == (1 if database == "postgresql" else 2)
    assert token is not None
    assert token.player == player
    alone = find_match(match.pk)
    assert row is not None
    assert alone is not None
    assert row == alone._replace(now=row.now)
    token, row = find_token_and_match(digest, "m_nowhere")
    assert token is not None
    assert row is None
    assert find_token_and_match("nobody's", match.pk) == (None, None)


def test_unknown_ids_return_none_and_values_are_never_interpolated(database: str) -> None:
    for text in ("m_nowhere", "' OR 1=1 --", "%(match_id)s", "100 %"):
        assert find_match(text) is None
        assert find_token(text) is None


def test_match_row_is_immutable_and_its_repr_shows_no_cards(database: str) -> None:
    row = find_match(start_match(make_player(), make_player()).pk)
    assert row is not None
    with pytest.raises(AttributeError):
        row.version = 7  # type: ignore[misc]
    assert row._replace(version=7).version == 7
    assert "snapshot=<secret>" in repr(row)


def test_seats_played_by_an_ai_are_automatic(database: str) -> None:
    row = find_match(start_match(make_player(), "easy").pk)
    assert row is not None
    player, ai = row.seats
    assert not player.is_automatic
    assert ai.is_automatic
    assert player._replace(state=SeatState.CARETAKER).is_automatic


@on_postgresql
def test_query_log_and_execute_wrappers_see_every_statement(committing_database: str) -> None:
    match = start_match(make_player(), make_player())
    wrapper, seen = connections[DEFAULT_DB_ALIAS], list[str]()

    def record_sql(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 -- Django's signature
        seen.append(sql)
        return execute(sql, params, many, context)

    assert driver_of(wrapper) is not None
    with connection.execute_wrapper(record_sql):
        assert driver_of(wrapper) is None
        assert find_match(match.pk) is not None
    assert len(seen) == 1
    with CaptureQueriesContext(connection) as queries:
        assert find_match(match.pk) is not None
    assert len(queries) == 1


@on_postgresql
def test_djangos_cursor_is_used_in_transactions_and_without_prepared_statements(
    committing_database: str,
) -> None:
    wrapper = connections[DEFAULT_DB_ALIAS]
    with transaction.atomic():
        assert driver_of(wrapper) is None
        assert fetch("SELECT %(text)s::text", {"text": "value"}) == ["value"]
    driver = driver_of(wrapper)
    assert driver is not None
    driver.prepare_threshold = None  # as behind a transaction pooler
    assert driver_of(wrapper) is None
    assert fetch("SELECT %(text)s::text", {"text": "value"}) == ["value"]


@on_postgresql
def test_errors_are_djangos_and_the_connection_stays_usable(committing_database: str) -> None:
    sql = "SELECT (1 / %(number)s::integer)::text"
    for _ in range(2):
        assert fetch(sql, {"number": "1"}) == [b"1"]
        with pytest.raises(DataError):
            fetch(sql, {"number": "0"})
    with transaction.atomic():
        with pytest.raises(DataError):
            fetch(sql, {"number": "0"})
        connection.needs_rollback = True
        with pytest.raises(TransactionManagementError):
            fetch(sql, {"number": "1"})


@on_postgresql
def test_one_prepared_statement_serves_all_values(committing_database: str) -> None:
    sql = "SELECT (%(number)s::integer + 1)::text || ' ' || %(text)s::text || 7 %% 4"
    for number in ("1", "70000", str(-(2**31))):
        for text in ("it's 100 % a ? \\ $1 %s é", ""):
            assert fetch(sql, {"number": number, "text": text}) == [f"{int(number) + 1} {text}3".encode()]
    assert fetch(sql, {"number": "1", "text": None}) == [b""]
    [count] = fetch("SELECT count(*)::text FROM pg_prepared_statements WHERE statement LIKE '%%7 %% 4'", {})
    assert int(count) == 1


@on_postgresql
def test_statements_are_prepared_again_after_a_rollback(committing_database: str) -> None:
    player = make_player("as-before")
    sql = "UPDATE games_player SET username = %(name)s WHERE id = %(id)s RETURNING username::text"
    for turn in range(3):
        for _ in range(2):
            fetch(sql, {"name": f"often-{turn}", "id": str(player.pk)})
            Player.objects.count()
        with transaction.atomic():
            fetch(sql, {"name": "undone", "id": str(player.pk)})
            transaction.set_rollback(True)
        player.refresh_from_db()
        assert player.username == f"often-{turn}"


@on_postgresql
def test_a_lost_connection_raises_operational_error_and_a_new_one_works(
    committing_database: str,
) -> None:
    sql = "SELECT 'here'::text"
    assert fetch(sql, {}) == [b"here"]
    terminate_backend(connections[DEFAULT_DB_ALIAS].connection)
    with pytest.raises(OperationalError):
        fetch(sql, {})
    connection.close()
    assert fetch(sql, {}) == [b"here"]


@on_postgresql
def test_an_unhealthy_connection_is_replaced_before_use(committing_database: str) -> None:
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    sql = "SELECT 'here'::text"
    assert fetch(sql, {}) == [b"here"]
    before = wrapper.connection
    terminate_backend(before)
    wrapper.health_check_enabled, wrapper.health_check_done = True, False
    assert fetch(sql, {}) == [b"here"]
    assert wrapper.connection is not before


def terminate_backend(driver: Any) -> None:
    with psycopg.connect(driver.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [driver.info.backend_pid])


def test_threads_read_their_own_values(committing_database: str) -> None:
    matches = [make_match(make_player(), make_player()).pk for _ in range(4)]

    def read(match_id: str) -> set[str]:
        try:
            return {row.id for _ in range(50) if (row := find_match(match_id)) is not None}
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(read, matches)) == [{match_id} for match_id in matches]


def test_the_connection_of_a_thread_that_has_ended_is_released(committing_database: str) -> None:
    seen: list[weakref.ref[Any]] = []

    def read() -> None:
        find_match("m_nowhere")
        connection.close()
        seen.append(weakref.ref(connections[DEFAULT_DB_ALIAS]))

    for _ in range(3):
        thread = Thread(target=read)
        thread.start()
        thread.join()
    gc.collect()
    assert [reference() for reference in seen] == [None] * 3
