from functools import partial
from typing import Any

import pytest

from games.identity.models import PlayerKind
from games.lobby.services.membership import accept_invitation, decline_invitation, join_match
from games.matches.models.match import Seat
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    ME,
    OPEN,
    RATED,
    JsonObject,
    ai,
    invited,
    logged_types,
    make_player,
    make_table,
    raises_field_error,
    raises_problem,
    seat_states,
    stored_match,
)


def test_joining_takes_the_first_open_seat(database: str) -> None:
    table: JsonObject = make_table(None, OPEN, ME, OPEN)
    table = join_match(match_id=table["id"], player=make_player(), client_seed="mine")
    assert seat_states(table) == ["playing", "playing", "open"]
    assert table["seats"][0]["client_seed"] == "mine"
    assert table["you"]["seat"] == 0
    assert stored_match(table).open_seats == 1


def test_a_joining_player_can_choose_a_seat(database: str) -> None:
    table = make_table(None, OPEN, ME, OPEN)
    joined: JsonObject = join_match(match_id=table["id"], player=make_player(), seat=2)
    assert joined["you"]["seat"] == 2


def test_joining_the_last_seat_starts_the_match(database: str) -> None:
    table: JsonObject = make_table()
    table = join_match(match_id=table["id"], player=make_player())
    assert table["status"] == "active"
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("started", 1)]
    assert len(table["round"]["hands"][1]["cards"]) == 17
    assert table["round"]["hands"][0]["cards"] is None


def test_joining_the_last_seat_does_not_start_a_match_with_hold(database: str) -> None:
    table = make_table(hold=True)
    assert join_match(match_id=table["id"], player=make_player())["status"] == "open"


def test_a_taken_seat_cannot_be_joined(database: str) -> None:
    table = make_table(None, ME, OPEN, OPEN)
    join_match(match_id=table["id"], player=make_player(), seat=1)
    with raises_problem("seat_taken"):
        join_match(match_id=table["id"], player=make_player(), seat=1)


def test_a_player_cannot_join_a_match_twice(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, OPEN, OPEN)
    for seat in (None, 0, 1):
        with raises_problem("already_joined"):
            join_match(match_id=table["id"], player=maker, seat=seat)


def test_a_full_match_cannot_be_joined(database: str) -> None:
    table = make_table(None, ME, ai(), hold=True)
    for seat in (None, 0):
        with raises_problem("match_full"):
            join_match(match_id=table["id"], player=make_player(), seat=seat)


def test_a_reserved_seat_cannot_be_taken_by_another_player(database: str) -> None:
    table = make_table(None, ME, invited(make_player()))
    with raises_problem("match_full"):
        join_match(match_id=table["id"], player=make_player())


def test_a_seat_number_out_of_range_is_refused(database: str) -> None:
    table = make_table()
    with raises_field_error("/seat", "too_large"):
        join_match(match_id=table["id"], player=make_player(), seat=2)


def test_a_started_match_cannot_be_joined(database: str) -> None:
    table = make_table(None, ME, ai())
    with raises_problem("match_not_open"):
        join_match(match_id=table["id"], player=make_player())


def test_an_invited_player_can_join_without_accepting(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, invited(guest))
    joined: JsonObject = join_match(match_id=table["id"], player=guest)
    assert joined["you"]["seat"] == 2
    with raises_problem("already_joined"):
        join_match(match_id=table["id"], player=guest, seat=1)


def test_an_invited_player_cannot_take_another_seat(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, invited(guest))
    with raises_problem("already_joined"):
        join_match(match_id=table["id"], player=guest, seat=1)


@pytest.mark.parametrize("kind", (PlayerKind.GUEST, PlayerKind.BOT))
def test_only_registered_people_can_join_a_rated_match_of_people(database: str, kind: PlayerKind) -> None:
    table = make_table(**RATED)
    with raises_problem("rating_not_possible"):
        join_match(match_id=table["id"], player=make_player(kind=kind))
    assert join_match(match_id=table["id"], player=make_player())["status"] == "active"


def test_accepting_an_invitation_takes_the_seat_and_stores_the_seed(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, invited(guest))
    table = accept_invitation(match_id=table["id"], player=guest, client_seed="salt")
    assert table["status"] == "active"
    assert table["seats"][1]["client_seed"] == "salt"
    assert logged_types(table) == [("joined", 0), ("invited", 1), ("joined", 1), ("started", 1)]


def test_only_a_pending_invitation_can_be_accepted(database: str) -> None:
    maker, guest = make_player(), make_player()
    table = make_table(maker, ME, OPEN, invited(guest))
    with raises_problem("not_seated"):
        accept_invitation(match_id=table["id"], player=make_player())
    with raises_problem("already_joined"):
        accept_invitation(match_id=table["id"], player=maker)
    decline_invitation(match_id=table["id"], player=guest)
    with raises_problem("not_invited"):
        accept_invitation(match_id=table["id"], player=guest)


def test_declining_an_invitation_marks_the_seat_as_declined(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, invited(guest), visibility="private")
    table = decline_invitation(match_id=table["id"], player=guest, reason="No time, sorry")
    assert (table["status"], seat_states(table)) == ("open", ["playing", "declined"])
    assert stored_match(table).moves.get(type="declined").entry["reason"] == "No time, sorry"
    assert not Seat.objects.get(match_id=table["id"], number=1).live


def test_a_player_who_declined_can_still_join(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, invited(guest))
    decline_invitation(match_id=table["id"], player=guest)
    assert join_match(match_id=table["id"], player=guest)["status"] == "active"
    assert Seat.objects.get(match_id=table["id"], number=1).live


def test_only_an_invited_player_can_decline(database: str) -> None:
    maker = make_player()
    table = make_table(maker)
    with raises_problem("not_seated"):
        decline_invitation(match_id=table["id"], player=make_player())
    with raises_problem("already_joined"):
        decline_invitation(match_id=table["id"], player=maker)


@pytest.mark.parametrize("act", (join_match, accept_invitation, decline_invitation))
def test_a_private_match_is_not_found_by_others(database: str, act: Any) -> None:
    table = make_table(None, ME, invited(make_player()), visibility="private")
    with raises_problem("not_found"):
        act(match_id=table["id"], player=make_player())


@pytest.mark.parametrize("act", (join_match, accept_invitation, decline_invitation))
def test_a_match_that_does_not_exist_is_not_found(database: str, act: Any) -> None:
    with raises_problem("not_found"):
        act(match_id="m_nowhere", player=make_player())


def test_of_concurrent_joins_exactly_one_gets_the_last_seat(committing_database: str) -> None:
    table = make_table()
    players = [make_player() for _ in range(8)]
    answers = run_concurrently(
        [partial(join_match, match_id=table["id"], player=player) for player in players]
    )
    won = [answer for answer in answers if not isinstance(answer, str)]
    assert len(won) == 1
    assert {answer for answer in answers if isinstance(answer, str)} <= {"match_full", "match_not_open"}
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("started", 1)]
    assert won[0]["you"]["seat"] == 1


def test_concurrent_joins_of_one_player_take_one_seat(committing_database: str) -> None:
    table = make_table(None, ME, OPEN, OPEN)
    player = make_player()
    answers = run_concurrently([partial(join_match, match_id=table["id"], player=player)] * 6)
    assert sum(not isinstance(answer, str) for answer in answers) == 1
    assert {answer for answer in answers if isinstance(answer, str)} == {"already_joined"}
    assert stored_match(table).open_seats == 1


def test_two_concurrent_joins_fill_two_seats(committing_database: str) -> None:
    table = make_table(None, ME, OPEN, OPEN)
    players = [make_player(), make_player()]
    answers = run_concurrently(
        [partial(join_match, match_id=table["id"], player=player) for player in players]
    )
    assert sorted(answer["you"]["seat"] for answer in answers) == [1, 2]
    assert stored_match(table).status == "active"
    assert [event for event, _ in logged_types(table)] == ["joined"] * 3 + ["started"]
