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
    states,
    stored,
)
from tests.support.factories import start_match as started

Form = dict[str, Any]


def finished(*players: Player, **agreed: Any) -> Form:
    """A match of these that has been given up by the last, and by the one before among three."""
    table = make_table(players[0], ME, *[invited(each) for each in players[1:]], **agreed)
    for each in players[1:]:
        table = join_match(match_id=table["id"], player=each)
    if table["hold"]:
        table = start_match(match_id=table["id"], player=players[0])
    for each in players[1:]:
        table = resign(match_id=table["id"], player=each)
    assert table["status"] == "finished"
    return table


def test_the_first_who_asks_makes_the_next_match(database: str) -> None:
    players = [make_player() for _ in range(3)]
    old = finished(*players, ruleset="revised", options={"bet_split": "thirds"}, target_score=300)
    is_new, table = create_or_join_rematch(match_id=old["id"], player=players[1], client_seed="again")
    assert is_new
    assert states(table) == ["invited", "playing", "invited"]
    assert [seat["player"]["username"] for seat in table["seats"]] == [each.username for each in players]
    assert [seat["client_seed"] for seat in table["seats"]] == ["", "again", ""]
    for same in ("ruleset", "options", "players", "target_score", "rounds", "clock", "visibility", "rated"):
        assert table[same] == old[same]
    assert (table["status"], table["maker"]) == ("open", players[1].username)
    assert table["anchor"] != old["anchor"]
    assert stored(old).next_match_id == table["id"]
    assert log_of(table) == [("invited", 0), ("joined", 1), ("invited", 2)]


def test_whoever_asks_after_that_sits_down_there(database: str) -> None:
    players = [make_player() for _ in range(3)]
    old = finished(*players)
    _, first = create_or_join_rematch(match_id=old["id"], player=players[0])
    answers = [
        create_or_join_rematch(match_id=old["id"], player=player, client_seed="too") for player in players[1:]
    ]
    assert [(is_new, table["id"]) for is_new, table in answers] == [(False, first["id"])] * 2
    _, table = answers[1]
    assert table["status"] == "active"
    assert [seat["client_seed"] for seat in table["seats"]] == ["", "too", "too"]
    again, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert (again, table["id"], table["you"]["seat"]) == (False, first["id"], 0)


def test_ai_seats_are_as_before(database: str) -> None:
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
        {"rated": True, "time_bank_seconds": 100},
        {"hold": True},
    ),
)
def test_all_that_was_agreed_is_agreed_again(database: str, agreed: Form) -> None:
    players = make_player(), make_player()
    old = finished(*players, **agreed)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    for same in ("target_score", "rounds", "clock", "visibility", "rated", "hints", "hold"):
        assert table[same] == old[same]
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert table["status"] == ("open" if table["hold"] else "active")


CHANGED_SETTINGS: Final[Form] = {
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
    old = finished(*players, **{name: value})
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert getattr(stored(table), name) == value


def test_a_match_that_goes_on_has_no_next(database: str) -> None:
    maker = make_player()
    waiting, running = make_table(maker), make_table(maker, ME, ai())
    cancelled = cancel_match(match_id=make_table(maker)["id"], player=maker)
    for table in (waiting, running, cancelled):
        with refusal("match_not_finished"):
            create_or_join_rematch(match_id=table["id"], player=maker)


def test_only_those_who_played_ask(database: str) -> None:
    old = finished(make_player(), make_player())
    with refusal("not_seated"):
        create_or_join_rematch(match_id=old["id"], player=make_player())
    private = finished(make_player(), make_player(), visibility="private")
    with refusal("not_found"):
        create_or_join_rematch(match_id=private["id"], player=make_player())


def test_a_next_match_that_was_called_off_counts_for_nothing(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    _, first = create_or_join_rematch(match_id=old["id"], player=players[0])
    cancel_match(match_id=first["id"], player=players[0])
    is_new, second = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert is_new
    assert second["id"] != first["id"]
    assert stored(old).next_match_id == second["id"]


def test_who_declined_or_left_may_ask_after_all(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players, hold=True)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    decline_invitation(match_id=table["id"], player=players[1])
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert states(table) == ["playing", "playing"]
    leave_match(match_id=table["id"], player=players[1])
    _, table = create_or_join_rematch(match_id=old["id"], player=players[1])
    assert states(table) == ["playing", "playing"]


def test_a_seat_that_went_to_somebody_else_is_gone(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    decline_invitation(match_id=table["id"], player=players[1])
    refill_seat(match_id=table["id"], player=players[0], number=1, body=invited(make_player()))
    with refusal("match_full"):
        create_or_join_rematch(match_id=old["id"], player=players[1])
    refill_seat(match_id=table["id"], player=players[0], number=1, body=ai())
    with refusal("match_not_open"):
        create_or_join_rematch(match_id=old["id"], player=players[1])


def test_a_seat_whose_account_is_gone_waits_for_the_maker(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    Player.objects.filter(pk=players[1].pk).update(is_active=False)
    _, table = create_or_join_rematch(match_id=old["id"], player=players[0])
    assert states(table) == ["playing", "declined"]
    assert log_of(table) == [("joined", 0), ("seat_changed", 1)]
    assert refill_seat(match_id=table["id"], player=players[0], number=1, body=OPEN)["status"] == "open"


def test_a_rated_rematch_is_for_registered_people_too(database: str) -> None:
    players = make_player(), make_player()
    old = finished(*players, rated=True)
    Player.objects.filter(pk=players[0].pk).update(kind=PlayerKind.GUEST)
    with refusal("not_allowed"):
        create_or_join_rematch(match_id=old["id"], player=Player.objects.get(pk=players[0].pk))


def test_the_limits_hold_for_rematches_too(database: str, settings: Any) -> None:
    players = make_player(), make_player()
    old = finished(*players)
    settings.HAGGIS_MOST_OPEN_MATCHES = 0
    with refusal("limit_reached"):
        create_or_join_rematch(match_id=old["id"], player=players[0])
    assert stored(old).next_match_id is None


def test_all_who_ask_at_once_come_to_one_table(committing_database: str) -> None:
    players = [make_player() for _ in range(3)]
    old = finished(*players)
    answers = at_once(
        [partial(create_or_join_rematch, match_id=old["id"], player=player) for player in players * 2]
    )
    assert len({table["id"] for _, table in answers}) == 1
    assert [is_new for is_new, _ in answers].count(True) == 1
    (following,) = Match.objects.exclude(pk=old["id"])
    assert following.status == "active"
    events = [event for event, _ in log_of(answers[0][1])]
    assert sorted(events) == ["invited"] * 2 + ["joined"] * 3 + ["started"]


def test_a_match_started_otherwise_has_a_next_one_too(database: str) -> None:
    player = make_player()
    match = started(player, "easy")
    resign(match_id=match.pk, player=player)
    assert create_or_join_rematch(match_id=match.pk, player=player)[0]
