"""A deletion and a ban win against every request that writes something for the account at the same time.

HAGGIS_RACES sets how often each request races.
"""

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from django.db import connection
from django.utils import timezone

from games.accounts.models import SecurityEvent, SecurityEventKind
from games.accounts.services.mails import email_token, password_token, undo_token
from games.identity.models import ApiToken, Player, PlayerKind
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.operators.services import ban_player
from tests.support.clients import PASSWORD, HttpPlayer, make_person
from tests.support.concurrency import run_concurrently
from tests.support.factories import make_match, make_player, start_match
from tests.support.receiver import push_subscription

RACES: Final = int(os.environ.get("HAGGIS_RACES", "3"))
MAX_DELAY_SECONDS: Final = 0.02
NEW_PASSWORD: Final = "another heap of heather"
UNFINISHED: Final = (MatchStatus.OPEN, MatchStatus.ACTIVE, MatchStatus.PAUSED)

Request = Callable[[], Any]


@dataclass
class Account:
    """An account that is closed while it is in use."""

    player: Player
    client: HttpPlayer
    private: list[str] = field(default_factory=list)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.request("POST", path, {} if body is None else body, **headers)


def make_account(*, kind: str = PlayerKind.HUMAN, **fields: Any) -> Account:
    """Create an account whose name, address and password hash occur nowhere else."""
    mark = secrets.token_hex(6)
    player = make_person(
        f"heather-{mark}", kind=kind, email=f"{mark}@example.org", display_name=f"Heather {mark}", **fields
    )
    private = [player.username, player.email, player.display_name, player.password]
    return Account(player, HttpPlayer.log_in(player=player), private)


def claim(account: Account) -> Request:
    Player.objects.filter(pk=account.player.pk).update(kind=PlayerKind.GUEST, password="!")
    name = f"bracken-{secrets.token_hex(4)}"
    account.private += [name, f"{name}@example.org"]
    body = {"username": name, "password": NEW_PASSWORD, "email": f"{name}@example.org"}
    return lambda: account.post("auth/claim", body)


def change_profile(account: Account) -> Request:
    account.private += ["Bracken the Bold", "bracken@example.org"]
    body = {"display_name": "Bracken the Bold", "email": "bracken@example.org"}
    return lambda: account.client.request("PATCH", "me", body)


def change_password(account: Account) -> Request:
    body = {"current_password": PASSWORD, "password": NEW_PASSWORD}
    return lambda: account.post("me/password", body)


def reset_password(account: Account) -> Request:
    Player.objects.filter(pk=account.player.pk).update(email_confirmed=True)
    token = password_token(Player.objects.get(pk=account.player.pk))
    return lambda: account.post("auth/password/confirm", {"token": token, "password": NEW_PASSWORD})


def confirm_email(account: Account) -> Request:
    token = email_token(account.player)
    return lambda: account.post("auth/email/confirm", {"token": token})


def undo_email_change(account: Account) -> Request:
    Player.objects.filter(pk=account.player.pk).update(email_confirmed=True)
    new = f"{secrets.token_hex(6)}@example.org"
    account.private.append(new)
    assert account.client.request("PATCH", "me", {"email": new}).status_code == 200
    event = SecurityEvent.objects.get(player=account.player, kind=SecurityEventKind.EMAIL_CHANGED)
    return lambda: account.post("auth/email/undo", {"token": undo_token(event)})


def start_second_factor(account: Account) -> Request:
    return lambda: account.post("me/second-factor")


def reauthenticate(account: Account) -> Request:
    return lambda: account.post("me/reauthenticate", {"password": PASSWORD})


def log_in(account: Account) -> Request:
    body = {"username": account.player.username, "password": PASSWORD}
    return lambda: HttpPlayer.log_in().request("POST", "auth/token", body)


def create_token(account: Account) -> Request:
    body = {"name": "second", "scopes": ["matches:play"]}
    return lambda: account.post("me/tokens", body)


def issue_ticket(account: Account) -> Request:
    return lambda: account.post("auth/ticket")


def create_bot(account: Account) -> Request:
    name = f"bot-{secrets.token_hex(4)}"
    account.private.append(name)
    return lambda: account.post("me/bots", {"username": name})


def renew_bot_token(account: Account) -> Request:
    name = f"bot-{secrets.token_hex(4)}"
    account.private.append(name)
    assert account.post("me/bots", {"username": name}).status_code == 201
    return lambda: account.post(f"me/bots/{name}/token")


def create_webhook(account: Account) -> Request:
    return lambda: account.post("me/webhooks", {"url": "https://9.9.9.9/hook"})


def webhook_path(account: Account) -> str:
    created = account.post("me/webhooks", {"url": "https://9.9.9.9/hook"})
    return f"me/webhooks/{created.json()['id']}"


def change_webhook(account: Account) -> Request:
    path = webhook_path(account)
    return lambda: account.client.request("PATCH", path, {"description": "x", "active": False})


def rotate_webhook_secret(account: Account) -> Request:
    path = f"{webhook_path(account)}/secret"
    return lambda: account.post(path)


def test_webhook(account: Account) -> Request:
    path = f"{webhook_path(account)}/test"
    return lambda: account.post(path, **key())


def add_device(account: Account) -> Request:
    body = push_subscription(secrets.token_hex(4))
    return lambda: account.post("me/devices", body, **key())


def go_on_vacation(account: Account) -> Request:
    until = (timezone.now() + timedelta(days=2)).isoformat()
    return lambda: account.client.request("PUT", "me/vacation", {"until": until})


def key() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(8)}


def create_match(account: Account) -> Request:
    return lambda: account.post("matches", {"ruleset": "classic"}, **key())


def start_against_ai(account: Account) -> Request:
    seats = [{"kind": "me"}, {"kind": "ai", "level": "random"}]
    return lambda: account.post("matches", {"ruleset": "classic", "seats": seats})


def open_match(**fields: Any) -> tuple[HttpPlayer, Match]:
    """Create a match with an open seat, through its maker."""
    maker = HttpPlayer.log_in()
    created = maker.request("POST", "matches", {"ruleset": "classic", **fields}, **key())
    assert created.status_code == 201, created.content
    return maker, Match.objects.get(pk=created.json()["id"])


def join(account: Account) -> Request:
    _, match = open_match()
    return lambda: account.post(f"matches/{match.pk}/join", **key())


def invitation(account: Account) -> list[dict[str, str]]:
    return [{"kind": "me"}, {"kind": "player", "username": account.player.username}]


def accept(account: Account) -> Request:
    _, match = open_match(seats=invitation(account))
    return lambda: account.post(f"matches/{match.pk}/accept", **key())


def be_invited(account: Account) -> Request:
    maker = HttpPlayer.log_in()
    body = {"ruleset": "classic", "seats": invitation(account)}
    return lambda: maker.request("POST", "matches", body, **key())


def be_invited_to_a_seat(account: Account) -> Request:
    maker, match = open_match()
    body = {"kind": "player", "username": account.player.username}
    return lambda: maker.request("PUT", f"matches/{match.pk}/seats/1", body)


def be_joined(account: Account) -> Request:
    """Let another player take the last seat beside the account, which starts the match."""
    created = account.post("matches", {"ruleset": "classic"}, **key())
    other = HttpPlayer.log_in()
    return lambda: other.request("POST", f"matches/{created.json()['id']}/join", {}, **key())


def be_seated_at_the_start(account: Account) -> Request:
    """Let the maker start a match in which the account sits."""
    maker, match = open_match(hold=True)
    assert account.post(f"matches/{match.pk}/join").status_code == 200
    return lambda: maker.request("POST", f"matches/{match.pk}/start", {}, **key())


def leave(account: Account) -> Request:
    _, match = open_match(hold=True)
    assert account.post(f"matches/{match.pk}/join").status_code == 200
    return lambda: account.post(f"matches/{match.pk}/leave", **key())


def cancel(account: Account) -> Request:
    created = account.post("matches", {"ruleset": "classic"})
    return lambda: account.post(f"matches/{created.json()['id']}/cancel", **key())


def finished_match(account: Account) -> tuple[HttpPlayer, Match]:
    other = HttpPlayer.log_in()
    match = start_match(account.player, other.player)
    assert other.request("POST", f"matches/{match.pk}/resign", {}).status_code == 200
    return other, match


def ask_for_rematch(account: Account) -> Request:
    _, match = finished_match(account)
    return lambda: account.post(f"matches/{match.pk}/rematch", **key())


def be_asked_for_rematch(account: Account) -> Request:
    other, match = finished_match(account)
    return lambda: other.request("POST", f"matches/{match.pk}/rematch", {}, **key())


def join_rematch(account: Account) -> Request:
    other, match = finished_match(account)
    assert other.request("POST", f"matches/{match.pk}/rematch", {}).status_code == 201
    return lambda: account.post(f"matches/{match.pk}/rematch", **key())


def act(account: Account) -> Request:
    """Play, with an answer that is stored."""
    return acting(account, whose=lambda player: player == account.player)


def be_acted_with(account: Account) -> Request:
    """Let another player of the match play."""
    return acting(account, whose=lambda player: player != account.player)


def acting(account: Account, whose: Callable[[Player], bool]) -> Request:
    while True:
        other = HttpPlayer.log_in()
        match = start_match(account.player, other.player)
        seat = Seat.objects.get(match=match, number=match.to_act or 0)
        if seat.player is not None and whose(seat.player):
            break
    client = account.client if seat.player == account.player else other
    client.match_id = match.pk
    legal = client.get("/legal-moves?expand=plays").json()
    body = {"version": match.version, "type": "play", "cards": legal["plays"][0]["cards"]}
    return lambda: client.act(body, **key())


def pause(account: Account) -> Request:
    match = start_match(account.player, "random")
    return lambda: account.post(f"matches/{match.pk}/pause", **key())


WRITERS: Final = (
    *(claim, change_profile, change_password, reset_password, confirm_email, log_in, create_token),
    *(undo_email_change, start_second_factor, reauthenticate),
    *(issue_ticket, create_bot, renew_bot_token, create_webhook, change_webhook, rotate_webhook_secret),
    *(test_webhook, add_device, go_on_vacation, create_match, start_against_ai, join, accept, be_invited),
    *(be_invited_to_a_seat, be_joined, be_seated_at_the_start, leave, cancel, ask_for_rematch),
    *(be_asked_for_rematch, join_rematch, act, be_acted_with, pause),
)
test_webhook.__test__ = False  # type: ignore[attr-defined]  # a request, not a test


def race(request: Request, close: Request, rng: Random) -> list[Any]:
    """Send the request and close the account at nearly the same time; return both results."""
    delays = rng.uniform(0, MAX_DELAY_SECONDS), rng.uniform(0, MAX_DELAY_SECONDS)

    def after(delay: float, function: Request) -> Request:
        def run() -> Any:
            time.sleep(delay)
            return function()

        return run

    return run_concurrently([after(delays[0], request), after(delays[1], close)])


def everything_stored() -> str:
    """Return all rows of all tables as text."""
    with connection.cursor() as cursor:
        texts = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 -- the name of a table
            texts += [str(row) for row in cursor.fetchall()]
    return "\n".join(texts)


def seats_waiting_for(players: list[int]) -> list[tuple[str, str, str]]:
    """Return match, status and state of seats in which an unfinished match waits for one of these players."""
    states = (SeatState.INVITED, SeatState.PLAYING, SeatState.CARETAKER)
    seats = Seat.objects.filter(player__in=players, match__status__in=UNFINISHED, state__in=states)
    return list(seats.values_list("match_id", "match__status", "state"))


def assert_closed(account: Account) -> None:
    players = [account.player.pk, *Player.objects.filter(owner=account.player).values_list("pk", flat=True)]
    assert not ApiToken.objects.filter(user__in=players).exists()
    assert not ApiToken.objects.filter(user__is_active=False).exists()
    assert not Player.objects.filter(pk__in=players, is_active=True).exists()
    assert seats_waiting_for(players) == []
    assert not Match.objects.filter(maker__in=players, status=MatchStatus.OPEN).exists()


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_request_succeeds_without_a_race(database: str, writer: Callable[[Account], Request]) -> None:
    answer = writer(make_account())()
    assert answer.status_code < 300, answer.content


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_deletion_wins_against(committing_database: str, writer: Callable[[Account], Request]) -> None:
    rng = Random(writer.__name__)
    for _ in range(RACES):
        account = make_account()
        second = HttpPlayer.log_in(player=account.player)
        answer, deleted = race(writer(account), partial(second.request, "DELETE", "me"), rng)
        if deleted.status_code == 401:  # the password was changed first, which revokes other tokens
            assert writer in {change_password, reset_password, undo_email_change}
            continue
        assert deleted.status_code == 204, deleted.content
        assert answer.status_code < 500, answer.content
        assert_closed(account)
        stored = everything_stored()
        assert [text for text in account.private if text in stored] == []
        row = Player.objects.get(pk=account.player.pk)
        assert (row.has_usable_password(), row.email_confirmed, row.closing) == (False, False, "")


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_ban_wins_against(committing_database: str, writer: Callable[[Account], Request]) -> None:
    rng = Random(writer.__name__)
    operator = make_player()
    for _ in range(RACES):
        account = make_account()
        ban = partial(ban_player, operator=operator, player=account.player, reason="rude")
        answer, entry = race(writer(account), ban, rng)
        assert entry.action == "ban"
        assert answer.status_code < 500, answer.content
        assert_closed(account)


def test_of_concurrent_deletions_one_succeeds_and_both_leave_nothing(committing_database: str) -> None:
    for _ in range(RACES):
        account = make_account()
        clients = [HttpPlayer.log_in(player=account.player) for _ in range(4)]
        start_match(account.player, make_player())
        answers = run_concurrently([partial(client.request, "DELETE", "me") for client in clients])
        assert {answer.status_code for answer in answers} <= {204, 401}
        assert any(answer.status_code == 204 for answer in answers)
        assert_closed(account)


def test_players_of_the_same_matches_can_be_deleted_together(committing_database: str) -> None:
    for _ in range(RACES):
        accounts = [make_account() for _ in range(4)]
        for one in accounts:
            for other in accounts:
                if one is not other:
                    start_match(one.player, other.player)
                    make_match(one.player, other.player)
        answers = run_concurrently([partial(each.client.request, "DELETE", "me") for each in accounts])
        assert [answer.status_code for answer in answers] == [204] * 4
        for account in accounts:
            assert_closed(account)
