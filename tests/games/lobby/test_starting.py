from functools import partial

from games.lobby.services.membership import join_match
from games.lobby.services.seats import start_match
from tests.support.factories import (
    ME,
    OPEN,
    ai,
    at_once,
    fault,
    invited,
    log_of,
    make_player,
    make_table,
    refusal,
)


def test_the_maker_says_when(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ai(), ME, hold=True)
    table = start_match(match_id=table["id"], player=maker)
    assert table["status"] == "active"
    assert log_of(table) == [("joined", 0), ("joined", 1), ("started", 1)]


def test_the_maker_who_does_not_sit_there_says_it_too(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ai(), ai(), hold=True)
    table = start_match(match_id=table["id"], player=maker)
    assert (table["status"], table["you"]) == ("active", None)
    assert log_of(table)[-1] == ("started", None)


def test_a_seed_given_at_the_start_counts_and_is_in_the_log(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True)
    table = start_match(match_id=table["id"], player=maker, client_seed="after the anchor")
    assert table["seats"][0]["client_seed"] == "after the anchor"
    assert log_of(table) == [("joined", 0), ("joined", 1), ("seat_changed", 0), ("started", 0)]


def test_a_seed_is_given_once(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True, client_seed="first")
    with fault("/client_seed", "given_before"):
        start_match(match_id=table["id"], player=maker, client_seed="second")
    table = start_match(match_id=table["id"], player=maker, client_seed="first")
    assert [event for event, _ in log_of(table)] == ["joined", "joined", "started"]


def test_a_seed_belongs_to_a_seat(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ai(), ai(), hold=True)
    with fault("/client_seed", "not_seated"):
        start_match(match_id=table["id"], player=maker, client_seed="salt")


def test_a_seed_that_is_none_is_refused(database: str) -> None:
    with fault("/client_seed", "invalid_client_seed"):
        start_match(match_id=make_table()["id"], player=make_player(), client_seed="x" * 65)


def test_every_seat_must_be_filled(database: str) -> None:
    maker = make_player()
    for seat in (OPEN, invited(make_player())):
        table = make_table(maker, ME, seat, hold=True)
        with refusal("seats_not_filled"):
            start_match(match_id=table["id"], player=maker)


def test_nobody_else_says_when(database: str) -> None:
    guest = make_player()
    table = make_table(None, ME, OPEN, hold=True)
    join_match(match_id=table["id"], player=guest)
    with refusal("not_the_maker"):
        start_match(match_id=table["id"], player=guest)
    with refusal("not_seated"):
        start_match(match_id=table["id"], player=make_player())


def test_what_has_begun_does_not_begin_again(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai())
    with refusal("match_not_open"):
        start_match(match_id=table["id"], player=maker)


def test_a_private_match_is_not_there_for_others(database: str) -> None:
    table = make_table(None, ai(), ai(), visibility="private", hold=True)
    with refusal("not_found"):
        start_match(match_id=table["id"], player=make_player())


def test_of_many_starts_at_once_one_deals(committing_database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, ai(), hold=True)
    answers = at_once([partial(start_match, match_id=table["id"], player=maker)] * 6)
    assert answers.count("match_not_open") == 5
    assert [event for event, _ in log_of(table)] == ["joined", "joined", "started"]
