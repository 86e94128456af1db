"""Permission matrix: every user, every route, every method. Each route needs a row here.

A row gives the access rule (`needs`) and the response to the users who pass it: a stranger, the invited
player, the seated player and the maker of the match (`tests.games.api.permission_matrix`).
"""

from typing import Any, Final

import pytest
from django.urls import resolve

from tests.games.api.permission_matrix import (
    ACCOUNT,
    ANYONE,
    NOT_FOUND,
    PLAY,
    READ,
    SIGNED_IN,
    WEBHOOKS,
    Answer,
    Row,
    Scene,
    create_scene,
)
from tests.games.api.routes import METHODS, PARTS, routes
from tests.support.receiver import push_subscription

NOT_SEATED: Final = "403 not_seated"
NOT_THE_MAKER: Final = "403 not_the_maker"
NOT_ALLOWED: Final = "403 not_allowed"
JOINED: Final = "409 already_joined"
FULL: Final = "409 match_full"
NOT_ACTIVE: Final = "409 match_not_active"
NOT_FINISHED: Final = "409 match_not_finished"
NOT_FILLED: Final = "409 seats_not_filled"
NOT_OPEN: Final = "409 match_not_open"
NO_CARETAKER: Final = "409 no_caretaker"
NOT_PAUSED: Final = "409 match_not_paused"
NOT_MY_TURN: Final = "409 not_your_turn"
STALE: Final = "409 stale_version"
TAKEN: Final = "409 seat_taken"
NO_HINTS: Final = "403 hints_not_allowed"
NOT_ANALYSED: Final = "404 not_analysed"
MUST_LEAD: Final = "422 must_lead"
INVALID: Final = "422 validation_error"

AI: Final = {"kind": "ai", "level": "random"}
PASS: Final = {"version": 0, "type": "pass"}
ACCOUNT_BODY: Final = {"username": "somebody-new", "password": "a heap of heather"}
REDELIVER: Final = "me/webhooks/{webhook}/deliveries/{delivery}/redeliver"
SETS_STEP: Final = {"actions": [{"type": "play", "cards": ["5r", "5g"]}]}
NEW_APP: Final = {"name": "Card Reader", "redirect_uris": ["https://app.example.com/callback"]}
READ_TOKEN: Final = {"name": "mine", "scopes": ["matches:read"]}


def to_all(method: str, path: str, needs: Any, answer: Answer, **more: Any) -> Row:
    """Return a row with the same response for every user who passes the access rule."""
    return Row(method, path, needs, answer, answer, answer, answer, **more)


READS_OF_A_MATCH: Final = (
    to_all("GET", "matches/{match}", ANYONE, 200),
    to_all("GET", "matches/{match}/moves", ANYONE, 200),
    to_all("GET", "matches/{match}/rounds", ANYONE, 200),
    to_all("GET", "matches/{match}/record", ANYONE, 200),
    to_all("GET", "matches/{match}/watchers", ANYONE, 200),
)
# The test client does not serve streams: users who may see the match get 503.
STREAM_OF_A_MATCH: Final = to_all("GET", "matches/{match}/events", ANYONE, "503 unavailable")
# Matches between people have no hints, and an analysis exists only after the end.
HINTS_AND_ANALYSIS: Final = (
    to_all("GET", "matches/{match}/analysis", ANYONE, NOT_ANALYSED),
    to_all("POST", "matches/{match}/analysis", PLAY, NOT_FINISHED),
    Row("GET", "matches/{match}/hint", PLAY, NOT_SEATED, NOT_SEATED, NO_HINTS, NO_HINTS),
)
# A match with an unanswered invitation.
OPEN_TABLE: Final = (
    *READS_OF_A_MATCH,
    STREAM_OF_A_MATCH,
    to_all("GET", "matches/{match}/rounds/1", ANYONE, NOT_FOUND),
    Row("POST", "matches/{match}/join", PLAY, FULL, 200, JOINED, JOINED, body={}),
    Row("POST", "matches/{match}/accept", PLAY, NOT_SEATED, 200, JOINED, JOINED, body={}),
    Row("POST", "matches/{match}/decline", PLAY, NOT_SEATED, 200, JOINED, JOINED, body={}),
    Row("POST", "matches/{match}/leave", PLAY, NOT_SEATED, NOT_SEATED, 200, 200, body={}),
    Row("POST", "matches/{match}/start", PLAY, NOT_SEATED, NOT_SEATED, NOT_THE_MAKER, NOT_FILLED),
    Row("POST", "matches/{match}/cancel", PLAY, NOT_SEATED, NOT_SEATED, NOT_THE_MAKER, 200),
    Row("POST", "matches/{match}/reclaim", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
    Row("POST", "matches/{match}/pause", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
    Row("DELETE", "matches/{match}/pause", PLAY, NOT_SEATED, NOT_SEATED, 200, 200),
    Row("POST", "matches/{match}/resume", PLAY, NOT_SEATED, NOT_SEATED, NOT_PAUSED, NOT_PAUSED),
    Row("POST", "matches/{match}/resign", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
    Row("POST", "matches/{match}/rematch", PLAY, NOT_SEATED, NOT_FINISHED, NOT_FINISHED, NOT_FINISHED),
    Row("PUT", "matches/{match}/seats/2", PLAY, NOT_SEATED, NOT_SEATED, NOT_THE_MAKER, 200, body=AI),
    Row("PUT", "matches/{match}/seats/1", PLAY, NOT_SEATED, NOT_SEATED, NOT_THE_MAKER, TAKEN, body=AI),
    to_all("PUT", "matches/{match}/seats/3", PLAY, NOT_FOUND, body=AI),
    Row("POST", "matches/{match}/moves", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE, body=PASS),
    Row(
        "POST",
        "matches/{match}/moves/check",
        PLAY,
        NOT_SEATED,
        NOT_SEATED,
        NOT_ACTIVE,
        NOT_ACTIVE,
        body={"cards": ["J"]},
    ),
    Row("GET", "matches/{match}/legal-moves", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
    *HINTS_AND_ANALYSIS,
    Row("PUT", "matches/{match}/standing-order", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
    Row("DELETE", "matches/{match}/standing-order", PLAY, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
)
_MY_TURN_OR_NOT: Final = (200, NOT_MY_TURN)
_LEADING_OR_NOT: Final = (200, MUST_LEAD)
# An active match: the invited player has taken the seat.
BEGUN_TABLE: Final = (
    STREAM_OF_A_MATCH,
    *READS_OF_A_MATCH,
    to_all("GET", "matches/{match}/rounds/1", ANYONE, 200),
    to_all("GET", "matches/{match}/rounds/2", ANYONE, NOT_FOUND),
    to_all("POST", "matches/{match}/join", PLAY, NOT_OPEN, body={}),
    Row("POST", "matches/{match}/accept", PLAY, NOT_SEATED, NOT_OPEN, NOT_OPEN, NOT_OPEN, body={}),
    Row("POST", "matches/{match}/decline", PLAY, NOT_SEATED, NOT_OPEN, NOT_OPEN, NOT_OPEN, body={}),
    Row("POST", "matches/{match}/leave", PLAY, NOT_SEATED, NOT_OPEN, NOT_OPEN, NOT_OPEN, body={}),
    Row("POST", "matches/{match}/start", PLAY, NOT_SEATED, NOT_THE_MAKER, NOT_THE_MAKER, NOT_OPEN),
    Row("POST", "matches/{match}/cancel", PLAY, NOT_SEATED, NOT_THE_MAKER, NOT_THE_MAKER, NOT_OPEN),
    Row("POST", "matches/{match}/reclaim", PLAY, NOT_SEATED, NO_CARETAKER, NO_CARETAKER, NO_CARETAKER),
    Row("POST", "matches/{match}/pause", PLAY, NOT_SEATED, 200, 200, 200),
    Row("DELETE", "matches/{match}/pause", PLAY, NOT_SEATED, 200, 200, 200),
    Row("POST", "matches/{match}/resume", PLAY, NOT_SEATED, NOT_PAUSED, NOT_PAUSED, NOT_PAUSED),
    Row("POST", "matches/{match}/resign", PLAY, NOT_SEATED, 200, 200, 200),
    Row("POST", "matches/{match}/rematch", PLAY, NOT_SEATED, NOT_FINISHED, NOT_FINISHED, NOT_FINISHED),
    Row("PUT", "matches/{match}/seats/2", PLAY, NOT_SEATED, NOT_THE_MAKER, NOT_THE_MAKER, NOT_OPEN, body=AI),
    Row("POST", "matches/{match}/moves", PLAY, NOT_SEATED, STALE, STALE, STALE, body=PASS),
    Row("POST", "matches/{match}/moves/check", PLAY, NOT_SEATED, 200, 200, 200, body={"cards": ["J"]}),
    Row(
        "GET",
        "matches/{match}/legal-moves",
        PLAY,
        NOT_SEATED,
        _MY_TURN_OR_NOT,
        _MY_TURN_OR_NOT,
        _MY_TURN_OR_NOT,
    ),
    Row(
        "PUT",
        "matches/{match}/standing-order",
        PLAY,
        NOT_SEATED,
        _LEADING_OR_NOT,
        _LEADING_OR_NOT,
        _LEADING_OR_NOT,
    ),
    Row("DELETE", "matches/{match}/standing-order", PLAY, NOT_SEATED, 200, 200, 200),
)
# Routes without a match. Bot, token, webhook and device belong to the maker and are hidden from others.
OUTSIDE_OF_MATCHES: Final = (
    to_all("POST", "auth/guest", ANYONE, 201, body={}),
    to_all("POST", "auth/register", ANYONE, 201, body=ACCOUNT_BODY),
    to_all(
        "POST", "auth/claim", ACCOUNT, "409 already_claimed", body=ACCOUNT_BODY, exceptions={"guest": 200}
    ),
    to_all("POST", "auth/token", ANYONE, "401 invalid_credentials", body=ACCOUNT_BODY),
    to_all("DELETE", "auth/token", SIGNED_IN, 204),
    to_all("POST", "auth/ticket", SIGNED_IN, 201),
    to_all("GET", "clocks", ANYONE, 200),
    to_all("POST", "me/notices/an_none/acknowledge", ACCOUNT, NOT_FOUND, body={}),
    Row("POST", "reports", ACCOUNT, 202, 202, 202, INVALID, body={"username": "maker", "reason": "name"}),
    to_all("GET", "me/vacation", SIGNED_IN, 200),
    to_all("PUT", "me/vacation", ACCOUNT, INVALID, body={"until": "2001-02-03T04:05:06Z"}),
    to_all("DELETE", "me/vacation", ACCOUNT, 204),
    to_all("POST", "auth/password/reset", ANYONE, 204, body={"username": "maker"}),
    to_all(
        "POST", "auth/password/confirm", ANYONE, INVALID, body={"token": "1.a", "password": "a heap of it"}
    ),
    to_all("POST", "auth/email/confirm", ANYONE, INVALID, body={"token": "1.a"}),
    to_all("POST", "auth/email/undo", ANYONE, INVALID, body={"token": "1.a"}),
    to_all(
        "POST",
        "me/reauthenticate",
        ACCOUNT,
        INVALID,
        body={"password": "a"},
        exceptions={"guest": NOT_ALLOWED},
    ),
    to_all("GET", "me/second-factor", ACCOUNT, 200),
    to_all("POST", "me/second-factor", ACCOUNT, 201, body={}, exceptions={"guest": NOT_ALLOWED}),
    to_all("DELETE", "me/second-factor", ACCOUNT, 204),
    to_all("GET", "me/sessions", ACCOUNT, 200),
    to_all("DELETE", "me/sessions", ACCOUNT, 204),
    Row("DELETE", "me/sessions/{session}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    to_all("GET", "me", SIGNED_IN, 200),
    to_all("PATCH", "me", ACCOUNT, 200, body={"time_zone": "Europe/Berlin"}),
    to_all("DELETE", "me", ACCOUNT, 204),
    to_all(
        "POST", "me/password", ACCOUNT, INVALID, body={"current_password": "a", "password": "a heap of it"}
    ),
    to_all("GET", "me/tokens", ACCOUNT, 200),
    to_all("POST", "me/tokens", ACCOUNT, 201, body=READ_TOKEN, exceptions={"account:write": INVALID}),
    Row("DELETE", "me/tokens/{token}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    to_all("GET", "me/apps", ACCOUNT, 200),
    to_all("POST", "me/apps", ACCOUNT, 201, body=NEW_APP, exceptions={"guest": NOT_ALLOWED}),
    Row("PATCH", "me/apps/{app}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 200, body={"name": "Other"}),
    Row("DELETE", "me/apps/{app}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    to_all("GET", "me/authorizations", ACCOUNT, 200),
    Row("DELETE", "me/authorizations/{authorization}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    to_all("GET", "me/bots", ACCOUNT, 200),
    to_all(
        "POST", "me/bots", ACCOUNT, 201, body={"username": "another-bot"}, exceptions={"guest": NOT_ALLOWED}
    ),
    Row("PATCH", "me/bots/{bot}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 200, body={}),
    Row("DELETE", "me/bots/{bot}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    Row("POST", "me/bots/{bot}/token", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 201, body={}),
    to_all("GET", "me/events", READ, 200),
    to_all("GET", "me/webhooks", WEBHOOKS, 200),
    to_all("POST", "me/webhooks", WEBHOOKS, 201, body={"url": "https://bots.example/other"}),
    Row("GET", "me/webhooks/{webhook}", WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 200),
    Row("PATCH", "me/webhooks/{webhook}", WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 200, body={}),
    Row("DELETE", "me/webhooks/{webhook}", WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    Row("POST", "me/webhooks/{webhook}/secret", WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 201, body={}),
    Row("GET", "me/webhooks/{webhook}/deliveries", WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 200),
    Row("POST", REDELIVER, WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 202, body={}),
    Row("POST", "me/webhooks/{webhook}/test", WEBHOOKS, NOT_FOUND, NOT_FOUND, NOT_FOUND, 202, body={}),
    to_all("GET", "push/key", ANYONE, 200),
    to_all("GET", "me/notifications/deliveries", ACCOUNT, 200),
    to_all("POST", "me/email/test", ACCOUNT, "409 email_not_confirmed", body={}),
    to_all("GET", "me/devices", ACCOUNT, 200),
    to_all("POST", "me/devices", ACCOUNT, 201, body=push_subscription("other")),
    Row("DELETE", "me/devices/{device}", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 204),
    Row("POST", "me/devices/{device}/test", ACCOUNT, NOT_FOUND, NOT_FOUND, NOT_FOUND, 202, body={}),
    to_all("GET", "me/matches", READ, 200),
    to_all("GET", "me/invitations", READ, 200),
    to_all("GET", "players/maker", ANYONE, 200),
    to_all("GET", "players/nobody-here", ANYONE, NOT_FOUND),
    to_all("GET", "players", ANYONE, 200),
    to_all("GET", "players?follows=true", ANYONE, 200, exceptions={"anonymous": "401 not_authenticated"}),
    to_all("GET", "me/follows", SIGNED_IN, 200),
    to_all("PUT", "me/follows/seated", ACCOUNT, 200, body={}, exceptions={"seated": INVALID}),
    to_all("DELETE", "me/follows/seated", ACCOUNT, 204),
    to_all("GET", "me/blocks", SIGNED_IN, 200),
    to_all("GET", "me/relations/maker", SIGNED_IN, 200),
    to_all("PUT", "me/blocks/seated", ACCOUNT, 200, body={}, exceptions={"seated": INVALID}),
    to_all("DELETE", "me/blocks/seated", ACCOUNT, 204),
    to_all("GET", "players/maker/matches", ANYONE, 200),
    to_all("GET", "players/nobody-here/matches", ANYONE, NOT_FOUND),
    to_all("GET", "limits", ANYONE, 200),
    to_all("GET", "players/maker/stats", ANYONE, 200),
    to_all("GET", "watch", ANYONE, 200),
    to_all("GET", "players/nobody-here/stats", ANYONE, NOT_FOUND),
    to_all("GET", "schema", ANYONE, 200),
    to_all("GET", "schema/3.0", ANYONE, 200),
    to_all("GET", "rulesets", ANYONE, 200),
    to_all("GET", "rulesets/classic", ANYONE, 200),
    to_all("GET", "rulesets/whist", ANYONE, NOT_FOUND),
    to_all("POST", "rulesets/classic/readings", ANYONE, 200, body={"players": 2, "cards": ["7r"]}),
    to_all("POST", "rulesets/whist/readings", ANYONE, NOT_FOUND, body={"players": 2, "cards": ["7r"]}),
    to_all("GET", "lessons", ANYONE, 200),
    to_all("GET", "lessons/sets", ANYONE, 200),
    to_all("GET", "lessons/whist", ANYONE, NOT_FOUND),
    to_all("POST", "lessons/sets/act", ANYONE, 200, body=SETS_STEP),
    to_all("POST", "lessons/whist/act", ANYONE, NOT_FOUND, body=SETS_STEP),
    to_all("POST", "lessons/sets/check", ANYONE, 200, body={"cards": ["5r"]}),
    to_all("POST", "lessons/whist/check", ANYONE, NOT_FOUND, body={"cards": ["5r"]}),
    to_all("GET", "matches", ANYONE, 200),
    to_all("GET", "matches?player=me", ANYONE, 200, exceptions={"anonymous": "401 not_authenticated"}),
    to_all("GET", "matches?maker=me", ANYONE, 200, exceptions={"anonymous": "401 not_authenticated"}),
    to_all("GET", "matches?player=nobody-here", ANYONE, NOT_FOUND),
    to_all("POST", "matches", PLAY, 201, body={"ruleset": "classic"}),
    to_all("GET", "records", ANYONE, 200),
    to_all("GET", "exports", ANYONE, 200),
    to_all("GET", "exports/players.csv", ANYONE, NOT_FOUND),
    to_all("POST", "me/export", ACCOUNT, 202, body={}),
    to_all("GET", "me/export", ACCOUNT, NOT_FOUND),
    to_all("GET", "me/export/archive", ACCOUNT, NOT_FOUND),
    to_all("POST", "records/verify", ANYONE, 200, body={"record": {"format": "x"}}),
    to_all("GET", "records/verifications/v_unknown", ANYONE, NOT_FOUND),
    to_all("GET", "puzzles/daily", ANYONE, 200),
    to_all("GET", "puzzles/next", ANYONE, 200),
    to_all("GET", "puzzles/p_1", ANYONE, NOT_FOUND),
    to_all("POST", "puzzles/p_1/answer", ANYONE, NOT_FOUND, body={"type": "pass"}),
    to_all("POST", "puzzles/p_1/check", ANYONE, NOT_FOUND, body={"cards": ["7r"]}),
    to_all("GET", "puzzles/p_1/legal-moves", ANYONE, NOT_FOUND),
)
ROWS: Final = (*OPEN_TABLE, *BEGUN_TABLE, *OUTSIDE_OF_MATCHES)


def route_name(path: str) -> str:
    """Return the name of the route that a path resolves to."""
    bare = path.partition("?")[0].format(**PARTS)
    return str(resolve(f"/api/v1/{bare}").url_name)


def test_every_method_of_every_route_has_a_row() -> None:
    assert {(route_name(row.path), row.method) for row in ROWS} == routes()


VISIBILITIES: Final = ("public", "unlisted", "private")


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_permissions_at_an_open_match(db: None, visibility: str) -> None:
    scene = create_scene(visibility)
    assert scene.differences(OPEN_TABLE, hidden=visibility == "private") == []


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_permissions_at_an_active_match(db: None, visibility: str) -> None:
    scene = create_scene(visibility, begun=True)
    assert scene.differences(BEGUN_TABLE, hidden=visibility == "private") == []


def test_permissions_outside_of_matches(db: None) -> None:
    assert create_scene().differences(OUTSIDE_OF_MATCHES, hidden=False) == []


@pytest.fixture
def private(db: None) -> Scene:
    """Return a scene with a private match."""
    return create_scene("private")


def test_unsupported_methods_are_rejected_for_every_user(private: Scene) -> None:
    paths = {route_name(row.path): row.path for row in ROWS}
    others = [
        to_all(method, path, ANYONE, "405 method_not_allowed")
        for name, path in paths.items()
        for method in METHODS
        if (name, method) not in routes()
    ]
    assert private.differences(others, hidden=False) == []


def test_a_hidden_match_is_indistinguishable_from_a_missing_one(private: Scene) -> None:
    hidden = private.parts["match"]
    missing = "m_" + "0" * (len(hidden) - 2)
    for row in OPEN_TABLE:
        answers = []
        for match_id in (hidden, missing):
            scene = Scene(private.clients, private.parts | {"match": match_id})
            answers.append([scene.send(user, row) for user in ("anonymous", "stranger", "bot")])
        assert answers[0] == answers[1], row


def test_a_player_who_left_or_declined_still_sees_a_private_match(private: Scene) -> None:
    read = to_all("GET", "matches/{match}", ANYONE, 200)
    assert private.send("invited", to_all("POST", "matches/{match}/decline", PLAY, 200, body={})) == 200
    assert private.send("seated", to_all("POST", "matches/{match}/leave", PLAY, 200, body={})) == 200
    assert private.differences([read], hidden=True) == []


def test_a_player_who_resigned_can_watch_but_not_act(db: None) -> None:
    scene = create_scene("private", begun=True)
    assert scene.send("seated", to_all("POST", "matches/{match}/resign", PLAY, 200)) == 200
    assert {scene.send("seated", row) for row in READS_OF_A_MATCH} == {200}
    act = to_all("POST", "matches/{match}/moves", PLAY, 201, body=PASS)
    assert scene.send("seated", act) == NOT_SEATED


def test_only_seated_players_can_start_a_rematch(db: None) -> None:
    scene = create_scene(begun=True)
    for name in ("invited", "seated"):
        assert scene.send(name, to_all("POST", "matches/{match}/resign", PLAY, 200)) == 200
    assert scene.differences([*READS_OF_A_MATCH, _AFTER_THE_END], hidden=False) == []


_AFTER_THE_END: Final = Row("POST", "matches/{match}/rematch", PLAY, NOT_SEATED, 201, 201, 201, body={})
