import pytest

from games.lobby.services.membership import join_match, leave_match
from games.matches.models.match import Seat
from tests.support.factories import (
    ME,
    OPEN,
    JsonObject,
    ai,
    invited,
    logged_types,
    make_player,
    make_table,
    raises_problem,
    seat_states,
    stored_match,
)

pytestmark = pytest.mark.usefixtures("database")


def test_leaving_opens_the_seat() -> None:
    table, guest = make_table(None, ME, OPEN, OPEN), make_player()
    join_match(match_id=table["id"], player=guest, client_seed="salt")
    table = leave_match(match_id=table["id"], player=guest)
    assert seat_states(table) == ["playing", "open", "open"]
    assert table["seats"][1]["client_seed"] == ""
    assert stored_match(table).open_seats == 2
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("left", 1)]
    again: JsonObject = join_match(match_id=table["id"], player=guest)
    assert again["you"]["seat"] == 1


def test_the_maker_remains_maker_after_leaving() -> None:
    maker = make_player()
    table = leave_match(match_id=make_table(maker)["id"], player=maker)
    assert seat_states(table) == ["open", "open"]
    assert table["maker"] == maker.username


def test_leaving_a_private_match_marks_the_seat_as_declined() -> None:
    maker, guest = make_player(), make_player()
    table = make_table(maker, ME, invited(guest), visibility="private", hold=True)
    join_match(match_id=table["id"], player=guest)
    table = leave_match(match_id=table["id"], player=guest)
    assert seat_states(table) == ["playing", "declined"]
    assert stored_match(table).open_seats == 0
    assert not Seat.objects.get(match_id=table["id"], number=1).live


def test_only_a_seated_player_can_leave() -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, invited(guest))
    for player in (guest, make_player()):
        with raises_problem("not_seated"):
            leave_match(match_id=table["id"], player=player)


def test_a_started_match_cannot_be_left() -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with raises_problem("match_not_open"):
        leave_match(match_id=table["id"], player=maker)


def test_leaving_a_private_match_of_others_is_not_found() -> None:
    table = make_table(None, ME, invited(make_player()), visibility="private")
    with raises_problem("not_found"):
        leave_match(match_id=table["id"], player=make_player())
