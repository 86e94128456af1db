"""Warnings, forced renames and suspensions."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from games.accounts.models import BlockedAddress
from games.accounts.services.addresses import accounts_at_same_addresses, delete_expired_blocks
from games.accounts.services.attempts import GUEST_DEVICE_LIFETIME, delete_old_devices
from games.accounts.services.notices import RETENTION, acknowledge_notice, delete_old_notices
from games.accounts.services.sign_in import create_bot, create_guest, log_in, register
from games.clock.timeouts import reclaim_seat
from games.core.addresses import Source
from games.core.errors import Problem
from games.identity.models import AccountNotice, AccountNoticeKind, ApiToken, Player, PlayerKind
from games.identity.services import lock_player
from games.lobby.services.membership import join_match
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.operators.models import OperatorAction
from games.operators.moderation import (
    complete_suspensions,
    rename_player,
    suspend_player,
    unsuspend_player,
    warn_player,
)
from games.operators.services import ban_player, unban_player
from tests.support.clients import HttpPlayer
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    invited,
    make_notified_player,
    make_player,
    make_table,
    raises_field_error,
    raises_problem,
    read_row,
    start_match,
    start_timed_match,
)

_SOURCE = Source("192.0.2.7", "Firefox on Linux")
_PASSWORD = "tartan-blanket-77"


def suspend(player: Player, **fields: Any) -> OperatorAction:
    values = {"operator": make_player(), "reason": "insults", "message": "Be kind.", "days": 7, **fields}
    return suspend_player(player=player, **values)


def end_suspension(player: Player) -> None:
    """Let the suspension of a player end now."""
    now = timezone.now()
    Player.objects.filter(pk=player.pk).update(suspended_until=now, own_suspension_until=now)


# --- Warnings and names


def test_warned_player_sees_the_message_until_it_is_acknowledged(database: str) -> None:
    player = make_player()
    client = HttpPlayer.log_in(player=player)
    warn_player(operator=make_player(), player=player, reason="insults", message="Please be kind.")
    [notice] = client.request("GET", "me").json()["notices"]
    assert (notice["kind"], notice["text"], notice["until"]) == ("warning", "Please be kind.", None)
    for _ in range(2):
        answer = client.request("POST", f"me/notices/{notice['id']}/acknowledge", {})
        assert answer.status_code == 204
    assert client.request("GET", "me").json()["notices"] == []


def test_message_of_another_player_cannot_be_acknowledged(database: str) -> None:
    warn_player(operator=make_player(), player=make_player(), reason="insults", message="Please be kind.")
    with raises_problem("not_found"):
        acknowledge_notice(player=make_player(), notice_id=AccountNotice.objects.get().public_id)


def test_warning_is_mailed_to_a_confirmed_address_only(
    database: str, run_queued_tasks: Any, django_capture_on_commit_callbacks: Any
) -> None:
    player = make_notified_player()
    with django_capture_on_commit_callbacks(execute=True):
        for each in (player, make_player(email="unconfirmed@example.org")):
            warn_player(operator=make_player(), player=each, reason="insults", message="Please be kind.")
    run_queued_tasks()
    [sent] = mail.outbox
    assert (sent.to, "Please be kind." in sent.body) == ([player.email], True)


def test_renamed_player_gets_a_neutral_name_and_loses_the_display_name(database: str) -> None:
    player = make_player("rude-word", display_name="Ruder Word")
    rename_player(operator=make_player(), player=player, reason="rude", message="Choose a decent name.")
    player = Player.objects.get(pk=player.pk)
    assert player.username.startswith("player-")
    assert player.display_name == ""
    assert AccountNotice.objects.get(player=player).kind == AccountNoticeKind.RENAMED
    assert "rude-word" not in str(OperatorAction.objects.get().details)


def test_player_can_log_in_with_the_new_name(database: str) -> None:
    player = register(username="rude-word", password=_PASSWORD, source=_SOURCE).token.user
    rename_player(operator=make_player(), player=player, reason="rude", message="Rude.", username="heather-9")
    assert log_in(username="heather-9", password=_PASSWORD, source=_SOURCE).token.user == player


@pytest.mark.parametrize("name", ("taken-name", "TAKEN-name"))
def test_player_cannot_be_given_the_name_of_another(database: str, name: str) -> None:
    make_player("taken-name")
    with raises_field_error("/username", "invalid"):
        rename_player(operator=make_player(), player=make_player(), reason="x", message="y", username=name)
    assert not AccountNotice.objects.exists()


def test_acknowledged_messages_are_deleted_after_a_year(database: str) -> None:
    player = make_player()
    for _ in range(2):
        warn_player(operator=make_player(), player=player, reason="insults", message="Please be kind.")
    acknowledge_notice(player=player, notice_id=AccountNotice.objects.earliest("pk").public_id)
    assert delete_old_notices(now=timezone.now() + RETENTION + timedelta(hours=1)) == 1
    assert AccountNotice.objects.get().acknowledged_at is None


# --- Suspensions


def test_requests_of_a_suspended_player_are_refused_until_the_end(database: str) -> None:
    player = make_player()
    client = HttpPlayer.log_in(player=player)
    suspend(player)
    refused = client.request("GET", "me")
    body = refused.json()
    assert (refused.status_code, body["code"]) == (403, "account_suspended")
    assert "Be kind." in body["detail"]
    assert body["until"].startswith(f"{timezone.now() + timedelta(days=7):%Y-%m-%d}")
    end_suspension(player)
    assert client.request("GET", "me").status_code == 200


def test_suspended_player_cannot_act_in_a_match(database: str) -> None:
    player = make_player()
    match = start_match(player, make_player())
    client = HttpPlayer.log_in(player=player)
    suspend(player)
    answer = client.request("POST", f"matches/{match.pk}/moves", {"version": 1, "type": "pass"})
    assert (answer.status_code, answer.json()["code"]) == (403, "account_suspended")


def test_suspended_player_cannot_log_in(database: str) -> None:
    player = register(username="rude-one", password=_PASSWORD, source=_SOURCE).token.user
    suspend(player)
    with raises_problem("account_suspended"):
        log_in(username="rude-one", password=_PASSWORD, source=_SOURCE)
    with raises_problem("invalid_credentials"):
        log_in(username="rude-one", password="a-guess-at-it", source=_SOURCE)


def test_suspension_includes_bots(database: str) -> None:
    owner = register(username="tinker", password=_PASSWORD, source=_SOURCE).token.user
    bot = create_bot(owner=owner, username="tin-man").token.user
    client = HttpPlayer.log_in(player=bot)
    suspend(owner)
    assert client.request("GET", "me").json()["code"] == "account_suspended"
    unsuspend_player(operator=make_player(), player=owner, reason="is sorry")
    assert client.request("GET", "me").status_code == 200


def bot_of(owner: Player, name: str = "tin-man") -> Player:
    return create_bot(owner=owner, username=name).token.user


def days_left(player: Player) -> int:
    """Return the days for which an account is suspended, rounded; 0 if it is not."""
    until = Player.objects.get(pk=player.pk).suspended_until
    return 0 if until is None else round((until - timezone.now()) / timedelta(days=1))


@pytest.mark.parametrize(("of_owner", "of_bot", "together"), ((7, 30, 30), (30, 7, 30)))
def test_bot_is_suspended_until_the_later_end_of_its_own_and_of_its_owners_suspension(
    database: str, of_owner: int, of_bot: int, together: int
) -> None:
    owner = register(username="tinker", password=_PASSWORD, source=_SOURCE).token.user
    bot, other = bot_of(owner), bot_of(owner, "scarecrow")
    suspend(bot, days=of_bot)
    suspend(owner, days=of_owner)
    assert [days_left(each) for each in (owner, bot, other)] == [of_owner, together, of_owner]
    unsuspend_player(operator=make_player(), player=owner, reason="is sorry")
    assert [days_left(each) for each in (owner, bot, other)] == [0, of_bot, 0]
    unsuspend_player(operator=make_player(), player=Player.objects.get(pk=bot.pk), reason="is mended")
    assert days_left(bot) == 0


def test_bot_stays_suspended_with_its_owner_when_its_own_suspension_is_lifted(database: str) -> None:
    owner = register(username="tinker", password=_PASSWORD, source=_SOURCE).token.user
    bot = bot_of(owner)
    suspend(owner, days=7)
    suspend(bot, days=30)
    unsuspend_player(operator=make_player(), player=bot, reason="is mended")
    assert days_left(bot) == 7
    with raises_problem("not_allowed"):
        unsuspend_player(operator=make_player(), player=Player.objects.get(pk=bot.pk), reason="again")


def test_caretaker_plays_for_a_suspended_player_among_people(database: str) -> None:
    rude, other = make_player(), make_player()
    match = start_timed_match(rude, other)
    suspend(rude)
    row = read_row(match)
    assert (row.status, row.seats[0].state) == (MatchStatus.ACTIVE, SeatState.CARETAKER)
    with raises_problem("account_suspended"):
        lock_player(rude)
    end_suspension(rude)
    reclaim_seat(match_id=match.pk, player=rude)
    assert read_row(match).seats[0].state == SeatState.PLAYING


def test_match_against_ais_is_paused_until_the_end_of_the_suspension(database: str) -> None:
    rude = make_player()
    match = start_match(rude, "easy")
    suspend(rude, days=3)
    match = Match.objects.get(pk=match.pk)
    assert match.status == MatchStatus.PAUSED
    assert match.paused_until is not None
    assert abs(match.paused_until - timezone.now() - timedelta(days=3)) < timedelta(minutes=1)


def test_open_matches_of_a_suspended_player_are_left(database: str) -> None:
    rude, other = make_player(), make_player()
    own, invitation = make_table(rude), make_table(other, {"kind": "me"}, invited(rude))
    suspend(rude)
    assert Match.objects.get(pk=own["id"]).status == MatchStatus.CANCELLED
    assert Seat.objects.get(match=invitation["id"], number=1).state == SeatState.DECLINED


def test_suspended_player_can_be_neither_invited_nor_seated(database: str) -> None:
    rude, open_table = make_player(), make_table()
    suspend(rude)
    with raises_problem("validation_error"):
        make_table(make_player(), {"kind": "me"}, invited(rude))
    with raises_problem("account_suspended"):
        join_match(match_id=open_table["id"], player=rude)


def test_database_refuses_a_token_and_a_seat_for_a_suspended_account(database: str) -> None:
    rude = make_player()
    seat = Seat.objects.create(match=make_table_row(), number=7, state=SeatState.OPEN)
    suspend(rude)
    with pytest.raises(DatabaseError, match="closed"), transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(player=rude, state=SeatState.PLAYING)
    with pytest.raises(DatabaseError, match="closed"), transaction.atomic():
        ApiToken(user=rude, digest="0" * 128, token_key="haggis_0", scopes="").save()
    end_suspension(rude)
    Seat.objects.filter(pk=seat.pk).update(player=rude, state=SeatState.PLAYING)


def make_table_row() -> Match:
    return Match.objects.get(pk=make_table()["id"])


def test_sweep_completes_an_interrupted_suspension(database: str) -> None:
    rude, other = make_player(), make_player()
    match = start_match(rude, other)
    until = timezone.now() + timedelta(days=1)
    Player.objects.filter(pk=rude.pk).update(suspended_until=until)
    assert complete_suspensions() == 1
    assert read_row(match).seats[0].state == SeatState.CARETAKER
    assert complete_suspensions() == 0


def test_suspension_wins_against_joining_at_the_same_time(committing_database: str) -> None:
    for _ in range(3):
        rude, table = make_player(), make_table()
        join = lambda: join_match(match_id=table["id"], player=rude)  # noqa: B023, E731 -- called in this iteration
        run_concurrently([join, partial(suspend, rude)])
        complete_suspensions()
        live = Seat.objects.filter(player=rude, live=True, state=SeatState.PLAYING)
        assert not live.filter(match__status__in=(MatchStatus.OPEN, MatchStatus.ACTIVE)).exists()


def test_staff_cannot_be_suspended(database: str) -> None:
    with pytest.raises(Problem, match="Dismiss this member"):
        suspend(make_player(is_staff=True))


@pytest.mark.parametrize("days", (0, -1, 367))
def test_length_of_a_suspension_is_limited(database: str, days: int) -> None:
    with raises_field_error("/days", "invalid"):
        suspend(make_player(), days=days)


def test_suspended_player_can_be_banned(database: str) -> None:
    player = make_player()
    suspend(player)
    ban_player(operator=make_player(), player=player, reason="goes on")
    assert not Player.objects.get(pk=player.pk).is_active


# --- Addresses


def test_no_guest_is_created_from_the_address_of_a_banned_guest(database: str) -> None:
    guest = create_guest(source=_SOURCE).token.user
    ban_player(operator=make_player(), player=guest, reason="floods")
    with raises_problem("address_blocked") as refused:
        create_guest(source=_SOURCE)
    assert refused.value.extra["until"]
    create_guest(source=Source("192.0.2.8"))
    register(username="heather", password=_PASSWORD, source=_SOURCE)
    BlockedAddress.objects.update(until=F("until") - timedelta(days=1))
    create_guest(source=_SOURCE)
    assert delete_expired_blocks(now=timezone.now()) == 1


def test_ban_of_a_registered_player_blocks_no_address(database: str) -> None:
    player = register(username="rude-one", password=_PASSWORD, source=_SOURCE).token.user
    ban_player(operator=make_player(), player=player, reason="swears")
    create_guest(source=_SOURCE)


def test_address_is_not_blocked_if_the_setting_is_zero(database: str, settings: Any) -> None:
    settings.HAGGIS_GUEST_BAN_HOURS = 0
    ban_player(operator=make_player(), player=create_guest(source=_SOURCE).token.user, reason="floods")
    create_guest(source=_SOURCE)


def test_lifting_a_ban_unblocks_the_address(database: str) -> None:
    guest = create_guest(source=_SOURCE).token.user
    ban_player(operator=make_player(), player=guest, reason="floods")
    unban_player(operator=make_player(), player=guest, reason="a mistake")
    create_guest(source=_SOURCE)


def test_accounts_at_the_same_address_are_found(database: str) -> None:
    player = register(username="heather", password=_PASSWORD, source=_SOURCE).token.user
    guest = create_guest(source=_SOURCE).token.user
    create_guest(source=Source("192.0.2.9"))
    assert [(each.player, each.addresses) for each in accounts_at_same_addresses(player)] == [(guest, 1)]


def test_addresses_of_guests_are_stored_for_a_month(database: str) -> None:
    player = register(username="heather", password=_PASSWORD, source=_SOURCE).token.user
    guest = create_guest(source=_SOURCE).token.user
    assert guest.kind == PlayerKind.GUEST
    assert delete_old_devices(now=timezone.now() + GUEST_DEVICE_LIFETIME + timedelta(hours=1)) == 1
    assert accounts_at_same_addresses(player) == []
