import pytest

from games.lobby.services.membership import join_match, leave_match
from games.matches.models.match import Seat
from tests.support.factories import (
    ME,
    OPEN,
    ai,
    invited,
    log_of,
    make_player,
    make_table,
    refusal,
    states,
    stored,
)

pytestmark = pytest.mark.usefixtures("database")


def test_a_seat_that_is_left_is_open_again() -> None:
    table, guest = make_table(None, ME, OPEN, OPEN), make_player()
    join_match(match_id=table["id"], player=guest, client_seed="salt")
    table = leave_match(match_id=table["id"], player=guest)
    assert states(table) == ["playing", "open", "open"]
    assert table["seats"][1]["client_seed"] == ""
    assert stored(table).open_seats == 2
    assert log_of(table) == [("joined", 0), ("joined", 1), ("left", 1)]
    assert join_match(match_id=table["id"], player=guest)["you"]["seat"] == 1


def test_the_maker_who_leaves_is_still_the_maker() -> None:
    maker = make_player()
    table = leave_match(match_id=make_table(maker)["id"], player=maker)
    assert states(table) == ["open", "open"]
    assert table["maker"] == maker.username


def test_a_private_match_has_no_open_seat_even_then() -> None:
    maker, guest = make_player(), make_player()
    table = make_table(maker, ME, invited(guest), visibility="private", hold=True)
    join_match(match_id=table["id"], player=guest)
    table = leave_match(match_id=table["id"], player=guest)
    assert states(table) == ["playing", "declined"]
    assert stored(table).open_seats == 0
    assert not Seat.objects.get(match_id=table["id"], number=1).live


def test_only_who_sits_there_can_leave() -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, invited(guest))
    for player in (guest, make_player()):
        with refusal("not_seated"):
            leave_match(match_id=table["id"], player=player)


def test_after_the_start_nobody_leaves() -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with refusal("match_not_open"):
        leave_match(match_id=table["id"], player=maker)


def test_nobody_learns_of_a_private_match_by_leaving_it() -> None:
    table = make_table(None, ME, invited(make_player()), visibility="private")
    with refusal("not_found"):
        leave_match(match_id=table["id"], player=make_player())
