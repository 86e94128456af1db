from typing import Any

import pytest

from games.identity.models import Player, PlayerKind
from games.lobby.services.creation import refill_seat
from games.lobby.services.membership import decline_invitation, join_match
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

pytestmark = pytest.mark.usefixtures("database")


def refill(table: JsonObject, maker: Player, number: int, **parts: Any) -> JsonObject:
    body: JsonObject = parts
    return refill_seat(match_id=table["id"], player=maker, number=number, body=body)


def test_giving_the_last_open_seat_to_an_ai_starts_the_match() -> None:
    table = make_table(maker := make_player())
    table = refill(table, maker, 1, **ai())
    assert table["status"] == "active"
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("started", None)]


def test_a_declined_seat_can_be_offered_to_another_player() -> None:
    maker, first, second = make_player(), make_player(), make_player()
    table = make_table(maker, ME, invited(first), visibility="private")
    decline_invitation(match_id=table["id"], player=first)
    table = refill(table, maker, 1, **invited(second))
    assert seat_states(table) == ["playing", "invited"]
    assert table["seats"][1]["player"]["username"] == second.username
    assert logged_types(table)[-1] == ("invited", 1)
    with raises_problem("not_found"):
        join_match(match_id=table["id"], player=first)


def test_a_player_who_declined_can_be_invited_again() -> None:
    maker, guest = make_player(), make_player()
    table = make_table(maker, ME, invited(guest))
    decline_invitation(match_id=table["id"], player=guest)
    assert seat_states(refill(table, maker, 1, **invited(guest))) == ["playing", "invited"]


def test_a_reserved_seat_can_be_opened() -> None:
    maker = make_player()
    table = make_table(maker, ME, invited(make_player()))
    table = refill(table, maker, 1, **OPEN)
    assert seat_states(table) == ["playing", "open"]
    assert table["seats"][1]["player"] is None
    assert stored_match(table).open_seats == 1
    assert logged_types(table)[-1] == ("seat_changed", 1)


def test_the_maker_can_take_a_seat_with_a_seed() -> None:
    maker = make_player()
    table = make_table(maker, OPEN, ai())
    table = refill(table, maker, 0, **ME, client_seed="mine")
    assert (table["status"], table["seats"][0]["client_seed"]) == ("active", "mine")


def test_an_ai_can_be_replaced_before_the_start() -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True)
    assert refill(table, maker, 1, **ai("easy"))["seats"][1]["level"] == "easy"


def test_a_seat_taken_by_a_player_cannot_be_refilled() -> None:
    maker, guest = make_player(), make_player()
    table = make_table(maker, ME, OPEN, OPEN)
    join_match(match_id=table["id"], player=guest, seat=1)
    for number in (0, 1):
        with raises_problem("seat_taken"):
            refill(table, maker, number, **ai())


def test_only_the_maker_can_refill_seats() -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, OPEN)
    join_match(match_id=table["id"], player=guest)
    with raises_problem("not_the_maker"):
        refill(table, guest, 2, **ai())
    with raises_problem("not_seated"):
        refill(table, make_player(), 2, **ai())


def test_seats_cannot_be_refilled_after_the_start() -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with raises_problem("match_not_open"):
        refill(table, maker, 1, **ai("easy"))


def test_refilling_a_seat_that_does_not_exist_is_not_found() -> None:
    maker = make_player()
    with raises_problem("not_found"):
        refill(make_table(maker), maker, 2, **ai())


def test_a_player_cannot_get_a_second_seat() -> None:
    maker, guest = make_player(), make_player()
    table = make_table(maker, ME, OPEN, invited(guest))
    with raises_field_error("/kind", "repeated"):
        refill(table, maker, 1, **ME)
    with raises_field_error("/username", "repeated"):
        refill(table, maker, 1, **invited(guest))
    with raises_field_error("/username", "repeated"):
        refill(table, maker, 1, **invited(maker))


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    (
        (ai("grandmaster"), "/level", "unknown_value"),
        (invited("nobody-here"), "/username", "unknown_player"),
        (OPEN, "/kind", "open_in_private"),
    ),
)
def test_an_invalid_seat_is_refused(body: JsonObject, pointer: str, code: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, invited(make_player()), visibility="private")
    with raises_field_error(pointer, code):
        refill(table, maker, 1, **body)


def test_a_rated_match_cannot_get_an_ai() -> None:
    maker = make_player()
    with raises_problem("rating_not_possible"):
        refill(make_table(maker, **RATED), maker, 1, **ai())


@pytest.mark.parametrize("kind", (PlayerKind.GUEST, PlayerKind.BOT))
def test_a_rated_match_of_people_cannot_get_a_guest_or_a_bot(kind: PlayerKind) -> None:
    maker, other = make_player(), make_player(kind=kind)
    with raises_problem("rating_not_possible"):
        refill(make_table(maker, **RATED), maker, 1, **invited(other))


def test_a_private_match_is_not_found_by_others() -> None:
    table = make_table(None, ME, invited(make_player()), visibility="private")
    with raises_problem("not_found"):
        refill(table, make_player(), 1, **ai())
