from functools import partial
from typing import Any, Final

import pytest

from games.identity.models import Player, PlayerKind
from games.lobby.serializers import MatchRequestSerializer
from games.lobby.services.creation import MATCH_SETTINGS, refill_seat
from games.lobby.services.membership import cancel_match, decline_invitation, join_match, leave_match
from games.lobby.services.rematches import create_or_join_rematch
from games.lobby.services.seats import start_match
from games.matches.models.match import Match
from games.play.resignation import resign
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
    raises_problem,
    seat_states,
    stored_match,
)
from tests.support.factories import start_match as started


def finished(*players: Player, **agreed: Any) -> JsonObject:
    """Create a match of these players that all but the first have resigned."""
    table = make_table(players[0], ME, *[invited(each) for each in players[1:]], **agreed)
    for each in players[1:]:
        table = join_match(match_id=table["id"], player=each)
    if table["hold"]:
        table = start_match(match_id=table["id"], player=players[0])
    for each in players[1:]:
        table = resign(match_id=table["id"], player=each)
    assert table["status"] == "finished"
    return table


def test_the_first_request_creates_the_rematch(database: str) -> None:
    players = [make_player() for _ in range(3)]
    old = finished(*players, ruleset="revised", options={"bet_split": "thirds"}, target_score=300)
    table: JsonObject
    is_new, table = create_or_join_rematch(match_id=old["id"], player=players[1], client_seed="again")
    assert is_new
    assert seat_states(table) == ["invited", "playing", "invited"]
    assert [seat["player"]["username"] for seat in table["seats"]] == [each.username for each in players]
    assert [seat["client_seed"] for seat in table["seats"]] == ["", "again", ""]
    for same in ("ruleset", "options", "players", "target_score", "rounds", "clock", "visibility", "rated"):
        assert table[same] == old[same]
    assert (table["status"], table["maker"]) == ("open", players[1].username)
    assert table["anchor"] != old["anchor"]
    assert stored_match(old).next_match_id == table["id"]
    assert logged_types(table) == [("invited", 0), ("joined", 1), ("invited", 2)]


def test_later_requests_join_the_rematch(database: str) -> None:
    players = [make_player() for _ in range(3)]
    old = finished(*players)
    _, first = create_or_join_rematch(match_id=old["id"], player=players[0])
    answers = [
        create_or_join_rematch(match_id=old["id"], player=player, client_seed="too") for player in players[1:]
    ]
    assert [(is_new, table["id"]) for is_new, table in answers] == [(False, first["id"])] * 2
    second = answers[1][1]
    assert second["status"] == "active"
    assert [seat["client_seed"] for seat in second["seats"]] == ["", "too", "too"]
    table: JsonObject
    again, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert (again, table["id"], table["you"]["seat"]) == (False, first["id"], 0)


def test_a_rematch_copies_ai_seats(database: str) -> None:
    maker = make_player()
    old = make_table(maker, ai("easy"), ME)
    resign(match_id=old["id"], player=maker)
    is_new, table = create_or_join_rematch(match_id=old["id"], player=maker)
    assert (is_new, table["status"]) == (True, "active")
    assert [seat["level"] for seat in table["seats"]] == ["easy", None]


@pytest.mark.parametrize(
    "agreed",
    (
        {"rounds": 3},
        {"visibility": "private", "vacations": False},
        {"visibility": "unlisted", "hints": True, "timeouts_allowed": 7, "after_timeouts": "forfeit"},
        {**RATED, "time_bank_seconds": 100},
        {"hold": True},
    ),
)
def test_a_rematch_has_the_same_rules_and_settings(database: str, agreed: JsonObject) -> None:
    players = make_player(), make_player()
    old = finished(*players, **agreed)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    for same in ("target_score", "rounds", "clock", "visibility", "rated", "hints", "hold"):
        assert table[same] == old[same]
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert table["status"] == ("open" if table["hold"] else "active")


CHANGED_SETTINGS: Final[JsonObject] = {
    "turn_seconds": 600,
    "time_bank_seconds": 100,
    "on_timeout": "other",  # clients can only send the default; services copy any stored value
    "timeouts_allowed": 7,
    "after_timeouts": "forfeit",
    "vacations": False,
    "pauses": False,
    "visibility": "unlisted",
    "rated": True,
    "hints": True,
    "hold": True,
}
# Members of the request that are not plain settings: the agreement on the rules, the seats and the seed.
OTHER_MEMBERS: Final = {"ruleset", "options", "players", "target_score", "rounds", "seats", "client_seed"}


def test_match_settings_name_every_setting_of_the_request() -> None:
    assert set(MATCH_SETTINGS) == set(MatchRequestSerializer().fields) - OTHER_MEMBERS
    assert set(CHANGED_SETTINGS) == set(MATCH_SETTINGS)


@pytest.mark.parametrize(("name", "value"), CHANGED_SETTINGS.items())
def test_a_rematch_copies_every_setting(database: str, name: str, value: object) -> None:
    assert value != MatchRequestSerializer.defaults[name]
    players = make_player(), make_player()
    old = finished(*players, **({**RATED, name: value} if name == "rated" else {name: value}))
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert getattr(stored_match(table), name) == value


def test_only_a_finished_match_has_a_rematch(database: str) -> None:
    maker = make_player()
    waiting, running = make_table(maker), make_table(maker, ME, ai())
    cancelled = cancel_match(match_id=make_table(maker)["id"], player=maker)
    for table in (waiting, running, cancelled):
        with raises_problem("match_not_finished"):
            create_or_join_rematch(match_id=table["id"], player=maker)


def test_only_players_of_the_match_can_ask_for_a_rematch(database: str) -> None:
    old = finished(make_player(), make_player())
    with raises_problem("not_seated"):
        create_or_join_rematch(match_id=old["id"], player=make_player())
    private = finished(make_player(), make_player(), visibility="private")
    with raises_problem("not_found"):
        create_or_join_rematch(match_id=private["id"], player=make_player())


def test_a_cancelled_rematch_is_replaced_by_another(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    _, first = create_or_join_rematch(match_id=old["id"], player=players[0])
    cancel_match(match_id=first["id"], player=players[0])
    is_new, second = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert is_new
    assert second["id"] != first["id"]
    assert stored_match(old).next_match_id == second["id"]


def test_a_player_who_declined_or_left_can_join_the_rematch_later(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players, hold=True)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    decline_invitation(match_id=table["id"], player=players[1])
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert seat_states(table) == ["playing", "playing"]
    leave_match(match_id=table["id"], player=players[1])
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert seat_states(table) == ["playing", "playing"]


def test_a_refilled_seat_of_the_rematch_is_not_available(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    decline_invitation(match_id=table["id"], player=players[1])
    refill_seat(match_id=table["id"], player=players[0], number=1, body=invited(make_player()))
    with raises_problem("match_full"):
        create_or_join_rematch(match_id=old["id"], player=players[1])
    refill_seat(match_id=table["id"], player=players[0], number=1, body=ai())
    with raises_problem("match_not_open"):
        create_or_join_rematch(match_id=old["id"], player=players[1])


def test_the_seat_of_an_inactive_account_is_declined_in_the_rematch(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    Player.objects.filter(pk=players[1].pk).update(is_active=False)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert seat_states(table) == ["playing", "declined"]
    assert logged_types(table) == [("joined", 0), ("seat_changed", 1)]
    assert refill_seat(match_id=table["id"], player=players[0], number=1, body=OPEN)["status"] == "open"


@pytest.mark.parametrize("changed", ({"visibility": "unlisted"}, {"after_timeouts": "caretaker"}))
def test_a_rematch_is_unrated_if_it_cannot_be_rated_any_more(database: str, changed: JsonObject) -> None:
    players = make_player(), make_player()
    old = finished(*players, **RATED)
    Match.objects.filter(pk=old["id"]).update(**changed)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert table["rated"] is False


def test_a_rematch_with_a_guest_is_unrated(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players, **RATED)
    Player.objects.filter(pk=players[0].pk).update(kind=PlayerKind.GUEST)
    _, table = create_or_join_rematch(match_id=old["id"], player=Player.objects.get(pk=players[0].pk))
    assert table["rated"] is False


def test_match_limits_apply_to_rematches(database: str, settings: Any) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    settings.HAGGIS_MOST_OPEN_MATCHES = 0
    with raises_problem("limit_reached"):
        create_or_join_rematch(match_id=old["id"], player=players[0])
    assert stored_match(old).next_match_id is None


def test_a_rematch_against_ais_does_not_wait_for_players(database: str, settings: Any) -> None:
    maker = make_player()
    old = make_table(maker, ME, ai())
    resign(match_id=old["id"], player=maker)
    settings.HAGGIS_MOST_OPEN_MATCHES = 0
    _, table = create_or_join_rematch(match_id=old["id"], player=maker)
    assert table["status"] == "active"


def test_concurrent_requests_share_one_rematch(committing_database: str) -> None:
    players = [make_player() for _ in range(3)]
    old = finished(*players)
    answers = run_concurrently(
        [partial(create_or_join_rematch, match_id=old["id"], player=player) for player in players * 2]
    )
    assert len({table["id"] for _, table in answers}) == 1
    assert [is_new for is_new, _ in answers].count(True) == 1
    (following,) = Match.objects.exclude(pk=old["id"])
    assert following.status == "active"
    events = [event for event, _ in logged_types(answers[0][1])]
    assert sorted(events) == ["invited"] * 2 + ["joined"] * 3 + ["started"]


def test_a_match_created_outside_the_lobby_has_a_rematch(database: str) -> None:
    player = make_player()
    match = started(player, "easy")
    resign(match_id=match.pk, player=player)
    assert create_or_join_rematch(match_id=match.pk, player=player)[0]
