from functools import partial

from games.lobby.services.membership import join_match
from games.lobby.services.seats import start_match
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    ME,
    OPEN,
    ai,
    invited,
    logged_types,
    make_player,
    make_table,
    raises_field_error,
    raises_problem,
)


def test_the_maker_can_start_a_match_with_hold(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ai(), ME, hold=True)
    table = start_match(match_id=table["id"], player=maker)
    assert table["status"] == "active"
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("started", 1)]


def test_a_maker_without_a_seat_can_start_the_match(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ai(), ai(), hold=True)
    table = start_match(match_id=table["id"], player=maker)
    assert (table["status"], table["you"]) == ("active", None)
    assert logged_types(table)[-1] == ("started", None)


def test_a_seed_given_at_the_start_is_used_and_logged(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True)
    table = start_match(match_id=table["id"], player=maker, client_seed="after the anchor")
    assert table["seats"][0]["client_seed"] == "after the anchor"
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("seat_changed", 0), ("started", 0)]


def test_a_seed_cannot_be_changed(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True, client_seed="first")
    with raises_field_error("/client_seed", "given_before"):
        start_match(match_id=table["id"], player=maker, client_seed="second")
    table = start_match(match_id=table["id"], player=maker, client_seed="first")
    assert [event for event, _ in logged_types(table)] == ["joined", "joined", "started"]


def test_a_maker_without_a_seat_cannot_give_a_seed(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ai(), ai(), hold=True)
    with raises_field_error("/client_seed", "not_seated"):
        start_match(match_id=table["id"], player=maker, client_seed="salt")


def test_an_invalid_seed_is_refused(database: str) -> None:
    with raises_field_error("/client_seed", "invalid_client_seed"):
        start_match(match_id=make_table()["id"], player=make_player(), client_seed="x" * 65)


def test_a_match_with_unfilled_seats_cannot_be_started(database: str) -> None:
    maker = make_player()
    for seat in (OPEN, invited(make_player())):
        table = make_table(maker, ME, seat, hold=True)
        with raises_problem("seats_not_filled"):
            start_match(match_id=table["id"], player=maker)


def test_only_the_maker_can_start_a_match(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, hold=True)
    join_match(match_id=table["id"], player=guest)
    with raises_problem("not_the_maker"):
        start_match(match_id=table["id"], player=guest)
    with raises_problem("not_seated"):
        start_match(match_id=table["id"], player=make_player())


def test_a_started_match_cannot_be_started_again(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with raises_problem("match_not_open"):
        start_match(match_id=table["id"], player=maker)


def test_a_private_match_is_not_found_by_others(database: str) -> None:
    table = make_table(None, ai(), ai(), visibility="private", hold=True)
    with raises_problem("not_found"):
        start_match(match_id=table["id"], player=make_player())


def test_of_concurrent_starts_exactly_one_succeeds(committing_database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True)
    answers = run_concurrently([partial(start_match, match_id=table["id"], player=maker)] * 6)
    assert answers.count("match_not_open") == 5
    assert [event for event, _ in logged_types(table)] == ["joined", "joined", "started"]
