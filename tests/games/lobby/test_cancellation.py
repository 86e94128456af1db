from datetime import timedelta
from functools import partial

import pytest

from games.ai.services import take_turn
from games.lobby.services.creation import OPEN_MATCH_LIFETIME
from games.lobby.services.membership import (
    cancel_match,
    expire_open_matches,
    join_match,
    leave_all_matches,
)
from games.matches.models.match import Match, Seat
from games.matches.turn_order import claim_next_turn
from games.operators.services import Role, pause_match
from games.play.resignation import resign
from games.records.verification import verify_matches
from tests.support.clients import ROOT, anonymous_client
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    ME,
    OPEN,
    ai,
    invited,
    logged_types,
    make_operator,
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


@pytest.mark.parametrize("paused", (False, True))
def test_the_maker_can_cancel_a_running_match_between_ais(database: str, *, paused: bool) -> None:
    maker = make_player()
    table = make_table(maker, ai("easy"), ai("easy"))
    for version in (3, 4, 5):
        assert take_turn(match_id=table["id"], version=version)
    if paused:
        pause_match(operator=make_operator(Role.OPERATOR), match_id=table["id"], reason="test")
    with raises_problem("not_seated"):
        cancel_match(match_id=table["id"], player=make_player())
    table = cancel_match(match_id=table["id"], player=maker)
    assert (table["status"], table["round"], table["result"]) == ("cancelled", None, None)
    assert logged_types(table)[-1] == ("cancelled", None)
    assert claim_next_turn() is None
    verify_matches()
    with raises_problem("match_not_open"):
        cancel_match(match_id=table["id"], player=maker)
    rounds = anonymous_client().get(f"{ROOT}/matches/{table['id']}/rounds").json()["results"]
    assert (rounds[0]["hands"], rounds[0]["link"]) == (None, None)
    for path in ("", "/moves", "/record"):
        assert anonymous_client().get(f"{ROOT}/matches/{table['id']}{path}").status_code == 200


def test_the_maker_can_cancel_a_running_match_between_ais_after_resigning(database: str) -> None:
    maker, other = make_player(), make_player()
    table = make_table(maker, ME, ai("easy"), ai("easy"))
    shared = make_table(maker, ME, OPEN, ai("easy"))
    join_match(match_id=shared["id"], player=other)
    for each in (table, shared):
        resign(match_id=each["id"], player=maker)
    table = cancel_match(match_id=table["id"], player=maker)
    assert (table["status"], table["result"]) == ("cancelled", None)
    with raises_problem("match_not_open"):
        cancel_match(match_id=shared["id"], player=maker)
    verify_matches()


def test_deleting_a_player_cancels_their_matches_between_ais(database: str) -> None:
    maker = make_player()
    running, with_person = make_table(maker, ai(), ai()), make_table(maker, ai(), OPEN)
    join_match(match_id=with_person["id"], player=make_player())
    leave_all_matches(players=[maker])
    assert stored_match(running).status == "cancelled"
    assert stored_match(with_person).status == "active"


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
