"""The invitations that bots accept, as their owners declare."""

from functools import partial
from typing import Any

import pytest

from games.identity.models import ChallengePolicy, Player
from games.matches.models.match import MatchStatus, Seat, SeatState
from games.privacy.services import delete_account
from tests.support.clients import (
    ROOT,
    anonymous_client,
    client_of,
    code,
    field_errors,
    make_bot,
    make_person,
    post_match,
)
from tests.support.concurrency import run_concurrently

CHALLENGES: dict[str, Any] = {
    "rulesets": [],
    "players": [2, 3],
    "min_turn_seconds": None,
    "max_turn_seconds": None,
    "without_clock": True,
    "opponents": "any",
    "rated": False,
    "at_once": 5,
    "auto_accept": False,
}
ME = {"kind": "me"}
ROBOT = {"kind": "player", "username": "robot"}


@pytest.fixture
def owner(database: str) -> Player:
    """Create the owner of a bot called robot."""
    player = make_person("heather")
    make_bot(player, "robot")
    return player


def declare(owner: Player, **challenges: Any) -> Any:
    answer = client_of(owner).patch(f"{ROOT}/me/bots/robot", {"challenges": {**CHALLENGES, **challenges}})
    assert answer.status_code == 200, answer.content
    return answer.json()


def challenge(client: Any, **body: Any) -> Any:
    return client.post(f"{ROOT}/matches", {"ruleset": "classic", "seats": [ME, ROBOT], **body})


def test_a_declaration_is_shown_in_the_profile_and_in_the_directory(owner: Player) -> None:
    assert anonymous_client().get(f"{ROOT}/players/robot").json()["challenges"] is None
    shown = declare(owner, rulesets=["deluxe", "classic", "classic"], players=[2])["challenges"]
    assert shown == {**CHALLENGES, "rulesets": ["classic", "deluxe"], "players": [2]}
    assert anonymous_client().get(f"{ROOT}/players/robot").json()["challenges"] == shown
    (listed,) = anonymous_client().get(f"{ROOT}/players?kind=bot").json()["results"]
    assert listed["challenges"] == shown
    assert anonymous_client().get(f"{ROOT}/players/heather").json()["challenges"] is None
    answer = client_of(owner).patch(f"{ROOT}/me/bots/robot", {"challenges": None, "display_name": "R"})
    assert (answer.json()["challenges"], answer.json()["display_name"]) == (None, "R")


def test_only_the_owner_can_declare(owner: Player) -> None:
    assert client_of(make_person()).patch(f"{ROOT}/me/bots/robot", {}).status_code == 404
    _, bot = make_bot(owner, "other-robot")
    assert code(bot.patch(f"{ROOT}/me/bots/other-robot", {})) == "insufficient_scope"


@pytest.mark.parametrize(
    ("challenges", "error"),
    (
        ({"rulesets": ["whist"]}, ("/challenges/rulesets/0", "unknown_ruleset")),
        ({"players": []}, ("/challenges/players", "too_short")),
        ({"players": [4]}, ("/challenges/players/0", "too_large")),
        ({"min_turn_seconds": 60, "max_turn_seconds": 59}, ("/challenges/max_turn_seconds", "too_small")),
        ({"at_once": 0}, ("/challenges/at_once", "too_small")),
        ({"opponents": "cats"}, ("/challenges/opponents", "unknown_value")),
    ),
)
def test_an_impossible_declaration_is_rejected(
    owner: Player, challenges: dict[str, Any], error: tuple[str, str]
) -> None:
    body = {"challenges": {**CHALLENGES, **challenges}}
    assert field_errors(client_of(owner).patch(f"{ROOT}/me/bots/robot", body)) == {error}
    assert not ChallengePolicy.objects.exists()


@pytest.mark.parametrize(
    ("declared", "match", "condition", "word"),
    (
        ({"rulesets": ["deluxe"]}, {}, "rulesets", "deluxe"),
        ({"players": [3]}, {}, "players", "3"),
        ({"min_turn_seconds": 60}, {"turn_seconds": 30}, "clock", "60"),
        ({"max_turn_seconds": 60}, {"turn_seconds": 90}, "clock", "60"),
        ({"without_clock": False}, {"turn_seconds": None}, "clock", "clock"),
        ({"opponents": "bot"}, {}, "opponents", "bots"),
        ({"at_once": 1}, {}, "at_once", "1"),
    ),
)
def test_an_invitation_that_breaks_the_declaration_is_refused_with_the_condition(
    owner: Player, declared: dict[str, Any], match: dict[str, Any], condition: str, word: str
) -> None:
    declare(owner, **declared)
    client = client_of(make_person())
    if condition == "at_once":
        assert challenge(client).status_code == 201
    answer = challenge(client, **match)
    assert (answer.status_code, code(answer)) == (409, "challenge_refused")
    problem = answer.json()
    assert problem["condition"] == condition
    assert "robot" in problem["detail"]
    assert word in problem["detail"]
    assert Seat.objects.filter(player__username="robot").count() == (condition == "at_once")


def test_bots_are_refused_by_a_bot_that_plays_people_only(owner: Player) -> None:
    declare(owner, opponents="human")
    _, other = make_bot(make_person(), "other-robot")
    assert challenge(other).json()["condition"] == "opponents"
    assert challenge(client_of(make_person())).status_code == 201


def test_a_fitting_invitation_waits_for_the_bot_without_auto_accept(owner: Player) -> None:
    declare(owner, rulesets=["classic"], min_turn_seconds=60, max_turn_seconds=90)
    answer = challenge(client_of(make_person()), turn_seconds=60)
    assert answer.json()["status"] == "open"
    assert answer.json()["seats"][1]["state"] == "invited"


def test_a_bot_that_accepts_automatically_starts_the_match_at_once(owner: Player) -> None:
    declare(owner, auto_accept=True)
    table = challenge(client_of(make_person())).json()
    assert table["status"] == "active"
    assert table["seats"][1]["state"] == "playing"
    log = anonymous_client().get(f"{ROOT}/matches/{table['id']}/moves").json()["results"]
    assert [entry["type"] for entry in log] == ["joined", "invited", "joined", "started"]


def test_a_seat_that_is_refilled_is_judged_too(owner: Player) -> None:
    declare(owner, rulesets=["deluxe"])
    client = client_of(make_person())
    table = post_match(client)
    answer = client.put(f"{ROOT}/matches/{table['id']}/seats/1", ROBOT)
    assert answer.json()["condition"] == "rulesets"
    declare(owner, auto_accept=True)
    assert client.put(f"{ROOT}/matches/{table['id']}/seats/1", ROBOT).json()["status"] == "active"


def test_a_bot_cannot_join_more_matches_than_it_declares(owner: Player) -> None:
    bot = Player.objects.get(username="robot")
    client = client_of(make_person())
    tables = [post_match(client) for _ in range(2)]
    declare(owner, at_once=1)
    robot = client_of(bot)
    assert robot.post(f"{ROOT}/matches/{tables[0]['id']}/join", {}).status_code == 200
    assert code(robot.post(f"{ROOT}/matches/{tables[1]['id']}/join", {})) == "limit_reached"


def test_a_deleted_bot_has_no_declaration(owner: Player) -> None:
    declare(owner)
    delete_account(player=Player.objects.get(username="robot"))
    assert not ChallengePolicy.objects.exists()


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
def test_concurrent_invitations_never_exceed_the_number_at_once(committing_database: str) -> None:
    owner = make_person("heather")
    make_bot(owner, "robot")
    declare(owner, at_once=2, auto_accept=True)
    clients = [client_of(make_person()) for _ in range(8)]
    answers = run_concurrently([partial(challenge, client) for client in clients])
    assert sorted(answer.status_code for answer in answers) == [201] * 2 + [409] * 6
    seats = Seat.objects.filter(player__username="robot", state=SeatState.PLAYING)
    assert seats.filter(match__status=MatchStatus.ACTIVE).count() == seats.count() == 2
