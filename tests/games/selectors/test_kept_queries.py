"""Queries that are compiled once."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.test.utils import CaptureQueriesContext

from games.models import Match, Player, PlayerKind
from games.selectors.kept_queries import KeptListQuery, KeptQuery
from games.selectors.matches import find_match, find_matches
from tests.games.factories import make_player, start_match


def _players() -> KeptQuery[Player]:
    return KeptQuery[Player](lambda name: Player.objects.select_related("owner").filter(username=name))


def test_each_argument_finds_its_own_row_with_what_is_read_along(database: str) -> None:
    query, owner = _players(), make_player("owner-of-it")
    make_player("tin-man", kind=PlayerKind.BOT, owner=owner)
    for name in ("tin-man", "owner-of-it", "tin-man"):
        found = query.first(name)
        assert found is not None
        assert found.username == name
    with CaptureQueriesContext(connection) as asked:
        bot = query.first("tin-man")
        assert bot is not None
        assert bot.owner == owner
    assert len(asked) == 1


def test_any_number_of_arguments_is_one_query_for_the_rows_of_them_all(database: str) -> None:
    query = KeptListQuery[Player](lambda names: Player.objects.filter(username__in=names))
    for number in range(6):
        make_player(f"one-of-{number}")
    for count in range(6):
        names = [f"one-of-{number}" for number in range(count)]
        with CaptureQueriesContext(connection) as asked:
            assert sorted(found.username for found in query.all(names)) == names
        assert len(asked) == min(count, 1)
    assert not list(query.all(["nobody", "nobody else", "' OR 1=1 --"]))


def test_several_rows_are_read_as_any_other_query_reads_them(database: str) -> None:
    matches = [start_match(make_player(), make_player()) for _ in range(3)]
    found = {row.match.pk: row for row in find_matches([match.pk for match in matches])}
    assert found.keys() == {match.pk for match in matches}
    for row in found.values():
        again = find_match(row.match.pk)
        assert again is not None
        assert row.seats == again.seats
        assert {
            field.attname: getattr(row.match, field.attname) for field in Match._meta.concrete_fields
        } == {field.attname: getattr(again.match, field.attname) for field in Match._meta.concrete_fields}
        assert row.match.snapshot.state == again.match.snapshot.state


def test_what_was_read_is_a_model_that_can_be_saved(database: str) -> None:
    match = start_match(make_player(), make_player())
    row = find_match(match.pk)
    assert row is not None
    row.match.attempts = 2
    row.match.save(update_fields=["attempts"])
    assert Match.objects.get(pk=match.pk).attempts == 2
    assert not row.match.get_deferred_fields()


def test_what_is_not_there_is_none(database: str) -> None:
    assert _players().first("nobody") is None


def test_an_argument_is_never_part_of_the_text(database: str) -> None:
    assert _players().first("' OR 1=1 --") is None


def test_a_row_is_read_as_any_other_query_reads_it(database: str) -> None:
    match = start_match(make_player(), make_player())
    row = find_match(match.pk)
    assert row is not None
    read = Match.objects.select_related("snapshot").get(pk=match.pk)
    for field in Match._meta.concrete_fields:
        assert getattr(row.match, field.attname) == getattr(read, field.attname)
    assert row.match.snapshot.state == read.snapshot.state


def test_threads_do_not_mix_their_arguments_up(committing_database: str) -> None:
    query, names = _players(), [make_player(f"player-number-{number}").username for number in range(4)]

    def read(name: str) -> set[str]:
        try:
            return {found.username for _ in range(50) if (found := query.first(name)) is not None}
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(read, names)) == [{name} for name in names]


def test_a_connection_that_nobody_uses_any_more_is_forgotten(committing_database: str) -> None:
    """A server that gives each request a thread, and so a connection, holds on to none of them."""
    query, seen = _players(), list[weakref.ref[Any]]()

    def read() -> None:
        query.first("nobody")
        connection.close()
        seen.append(weakref.ref(connections[DEFAULT_DB_ALIAS]))

    for _ in range(3):
        thread = Thread(target=read)
        thread.start()
        thread.join()
    gc.collect()
    assert [reference() for reference in seen] == [None] * 3
