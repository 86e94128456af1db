from datetime import timedelta
from functools import partial

from games.lobby.services.creation import OPEN_MATCH_LIFETIME
from games.lobby.services.membership import cancel_match, expire_open_matches, join_match
from games.matches.models.match import Match, Seat
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    ME,
    OPEN,
    ai,
    invited,
    logged_types,
    make_player,
    make_table,
    raises_problem,
    stored_match,
)


def test_the_maker_can_cancel_an_open_match(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, invited(make_player()))
    table = cancel_match(match_id=table["id"], player=maker)
    assert table["status"] == "cancelled"
    assert logged_types(table) == [("joined", 0), ("invited", 1), ("cancelled", 0)]
    assert not Seat.objects.filter(match_id=table["id"], live=True).exists()
    with raises_problem("match_not_open"):
        cancel_match(match_id=table["id"], player=maker)


def test_only_the_maker_can_cancel_a_match(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, OPEN)
    join_match(match_id=table["id"], player=guest)
    with raises_problem("not_the_maker"):
        cancel_match(match_id=table["id"], player=guest)
    with raises_problem("not_seated"):
        cancel_match(match_id=table["id"], player=make_player())


def test_a_started_match_cannot_be_cancelled(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with raises_problem("match_not_open"):
        cancel_match(match_id=table["id"], player=maker)


def test_a_private_match_is_not_found_by_others(database: str) -> None:
    table = make_table(None, ME, invited(make_player()), visibility="private")
    with raises_problem("not_found"):
        cancel_match(match_id=table["id"], player=make_player())


def test_expired_open_matches_are_cancelled_by_the_clock(database: str) -> None:
    tables = [make_table(), make_table(None, ME, invited(make_player()), visibility="private")]
    running = make_table(None, ME, ai())
    created = stored_match(tables[1]).created_at
    assert expire_open_matches(now=created + OPEN_MATCH_LIFETIME - timedelta(seconds=5)) == 0
    assert expire_open_matches(now=created + OPEN_MATCH_LIFETIME) == 2
    for table in tables:
        assert stored_match(table).status == "cancelled"
        assert logged_types(table)[-1] == ("cancelled", None)
        assert stored_match(table).moves.latest("version").by == "clock"
    assert stored_match(running).status == "active"
    assert expire_open_matches(now=created + 2 * OPEN_MATCH_LIFETIME) == 0


def test_a_sweep_expires_a_limited_number_of_matches_oldest_first(database: str) -> None:
    maker = make_player()
    tables = [make_table(maker) for _ in range(3)]
    now = stored_match(tables[2]).created_at + OPEN_MATCH_LIFETIME
    assert expire_open_matches(now=now, at_once=2) == 2
    assert [stored_match(table).status for table in tables] == ["cancelled", "cancelled", "open"]


def test_concurrent_sweeps_cancel_each_match_once(committing_database: str) -> None:
    maker = make_player()
    tables = [make_table(maker) for _ in range(10)]
    now = stored_match(tables[-1]).created_at + OPEN_MATCH_LIFETIME
    assert sum(run_concurrently([partial(expire_open_matches, now=now)] * 3)) == 10
    for table in tables:
        assert logged_types(table) == [("joined", 0), ("cancelled", None)]


def test_of_concurrent_join_and_cancel_only_one_succeeds(committing_database: str) -> None:
    maker, guest = make_player(), make_player()
    for _ in range(5):
        table = make_table(maker)
        match_id = table["id"]
        answers = run_concurrently(
            [
                partial(cancel_match, match_id=match_id, player=maker),
                partial(join_match, match_id=match_id, player=guest),
            ]
        )
        assert answers.count("match_not_open") == 1
        assert Match.objects.get(pk=match_id).status in {"cancelled", "active"}
        logged_types(table)
