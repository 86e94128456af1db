from datetime import timedelta
from functools import partial

from games.lobby.services.creation import OPEN_MATCH_LIFETIME
from games.lobby.services.membership import cancel_match, expire_open_matches, join_match
from games.matches.models.match import Match, Seat
from tests.support.factories import (
    ME,
    OPEN,
    ai,
    at_once,
    invited,
    log_of,
    make_player,
    make_table,
    refusal,
    stored,
)


def test_the_maker_can_cancel_an_open_match(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, invited(make_player()))
    table = cancel_match(match_id=table["id"], player=maker)
    assert table["status"] == "cancelled"
    assert log_of(table) == [("joined", 0), ("invited", 1), ("cancelled", 0)]
    assert not Seat.objects.filter(match_id=table["id"], live=True).exists()
    with refusal("match_not_open"):
        cancel_match(match_id=table["id"], player=maker)


def test_only_the_maker_can_cancel_a_match(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, OPEN)
    join_match(match_id=table["id"], player=guest)
    with refusal("not_the_maker"):
        cancel_match(match_id=table["id"], player=guest)
    with refusal("not_seated"):
        cancel_match(match_id=table["id"], player=make_player())


def test_a_started_match_cannot_be_cancelled(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with refusal("match_not_open"):
        cancel_match(match_id=table["id"], player=maker)


def test_a_private_match_is_not_found_by_others(database: str) -> None:
    table = make_table(None, ME, invited(make_player()), visibility="private")
    with refusal("not_found"):
        cancel_match(match_id=table["id"], player=make_player())


def test_expired_open_matches_are_cancelled_by_the_clock(database: str) -> None:
    tables = [make_table(), make_table(None, ME, invited(make_player()), visibility="private")]
    running = make_table(None, ME, ai())
    created = stored(tables[1]).created_at
    assert expire_open_matches(now=created + OPEN_MATCH_LIFETIME - timedelta(seconds=5)) == 0
    assert expire_open_matches(now=created + OPEN_MATCH_LIFETIME) == 2
    for table in tables:
        assert stored(table).status == "cancelled"
        assert log_of(table)[-1] == ("cancelled", None)
        assert stored(table).moves.latest("version").by == "clock"
    assert stored(running).status == "active"
    assert expire_open_matches(now=created + 2 * OPEN_MATCH_LIFETIME) == 0


def test_a_sweep_expires_a_limited_number_of_matches_oldest_first(database: str) -> None:
    maker = make_player()
    tables = [make_table(maker) for _ in range(3)]
    now = stored(tables[2]).created_at + OPEN_MATCH_LIFETIME
    assert expire_open_matches(now=now, at_once=2) == 2
    assert [stored(table).status for table in tables] == ["cancelled", "cancelled", "open"]


def test_concurrent_sweeps_cancel_each_match_once(committing_database: str) -> None:
    maker = make_player()
    tables = [make_table(maker) for _ in range(10)]
    now = stored(tables[-1]).created_at + OPEN_MATCH_LIFETIME
    assert sum(at_once([partial(expire_open_matches, now=now)] * 3)) == 10
    for table in tables:
        assert log_of(table) == [("joined", 0), ("cancelled", None)]


def test_of_concurrent_join_and_cancel_only_one_succeeds(committing_database: str) -> None:
    maker, guest = make_player(), make_player()
    for _ in range(5):
        table = make_table(maker)
        match_id = table["id"]
        answers = at_once(
            [
                partial(cancel_match, match_id=match_id, player=maker),
                partial(join_match, match_id=match_id, player=guest),
            ]
        )
        assert answers.count("match_not_open") == 1
        assert Match.objects.get(pk=match_id).status in {"cancelled", "active"}
        log_of(table)
