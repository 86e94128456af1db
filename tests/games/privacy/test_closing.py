"""Closing an account step by step, and the guards of the database."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games.core.secrets import Secret
from games.identity.models import ApiToken, Closing, Player, PlayerKind
from games.identity.services import close_account, lock_player, log_in_token
from games.lobby.services import membership
from games.lobby.services.membership import complete_bans
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.notifications.models import Device, Webhook
from games.operators.services import ban_player, unban_player
from games.privacy import services as privacy_services
from games.privacy.guards import TRIGGERS
from games.privacy.services import complete_deletions, delete_account
from games.records.verification import verify_matches
from games.sweep.tasks import complete_closings
from tests.support.clients import make_person
from tests.support.factories import make_match, make_player, raises_problem, start_match


def closed_player() -> Player:
    player = make_player()
    delete_account(player=player)
    return Player.objects.get(pk=player.pk)


def fail_to_leave(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    leave = membership._leave_as_closed

    def fail(match_id: str, player_ids: frozenset[int]) -> None:
        if match_id == match.pk:
            raise ValueError("the hand 7r 8r")
        leave(match_id, player_ids)

    monkeypatch.setattr(membership, "_leave_as_closed", fail)


@pytest.mark.parametrize("closing", (Closing.DELETION, Closing.BAN))
def test_sweep_completes_what_was_interrupted(database: str, closing: Closing) -> None:
    """The process dies after the account was closed."""
    player = make_person(email="heather@example.org")
    running, waiting = start_match(player, make_player()), make_match(player, make_player())
    close_account(player=player, closing=closing)
    complete_closings()
    row = Player.objects.get(pk=player.pk)
    assert (row.closing, row.email == "", row.deleted_at is not None) == (
        "", closing == Closing.DELETION, closing == Closing.DELETION,
    )  # fmt: skip
    assert Match.objects.get(pk=running.pk).status == MatchStatus.FINISHED
    assert Match.objects.get(pk=waiting.pk).status == MatchStatus.CANCELLED
    verify_matches()
    complete_closings()


def test_match_that_cannot_be_left_does_not_stop_the_deletion_or_other_matches(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    player = make_person("heather")
    broken, other = start_match(player, make_player()), start_match(player, make_player())
    fail_to_leave(broken, monkeypatch)
    delete_account(player=player)
    row = Player.objects.get(pk=player.pk)
    assert (row.username.startswith("deleted-"), row.closing) == (True, Closing.DELETION)
    assert Match.objects.get(pk=other.pk).status == MatchStatus.FINISHED
    assert f"leaving match {broken.pk} failed with ValueError" in caplog.text
    assert "7r" not in caplog.text
    monkeypatch.undo()
    complete_closings()
    assert Match.objects.get(pk=broken.pk).status == MatchStatus.FINISHED
    assert Player.objects.get(pk=player.pk).closing == ""


def test_match_that_cannot_be_left_stops_the_ban_of_its_own_player_only(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [make_player() for _ in range(3)]
    broken, *others = [start_match(player, make_player()) for player in players]
    for player in players:
        close_account(player=player, closing=Closing.BAN)
    fail_to_leave(broken, monkeypatch)
    complete_bans()
    assert [Player.objects.get(pk=player.pk).closing for player in players] == [Closing.BAN, "", ""]
    assert {Match.objects.get(pk=match.pk).status for match in others} == {MatchStatus.FINISHED}
    monkeypatch.undo()
    complete_bans()
    assert not Player.objects.filter(closing=Closing.BAN).exists()
    verify_matches()


def test_match_that_cannot_be_left_stops_the_ban_of_the_bot_in_it_and_not_of_its_owner(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = make_player()
    bot = make_player(kind=PlayerKind.BOT, owner=owner)
    fail_to_leave(start_match(bot, make_player()), monkeypatch)
    ban_player(operator=make_player(), player=owner, reason="rude")
    assert Player.objects.get(pk=owner.pk).closing == ""
    assert Player.objects.get(pk=bot.pk).closing == Closing.BAN


def test_bans_that_fail_again_and_again_do_not_fill_every_batch(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, good = make_player(), make_player()
    broken, match = start_match(failing, make_player()), start_match(good, make_player())
    for player in (failing, good):
        close_account(player=player, closing=Closing.BAN)
    fail_to_leave(broken, monkeypatch)
    for _ in range(100):  # in random order: all batches miss one of two players only with 2 ** -100
        complete_bans(at_most=1)
    assert Player.objects.get(pk=good.pk).closing == ""
    assert Match.objects.get(pk=match.pk).status == MatchStatus.FINISHED


def test_account_that_cannot_be_deleted_does_not_block_others(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The first accounts fail again and again; the batch is no larger than their number."""
    broken = [make_person(email="heather@example.org") for _ in range(2)]
    good = make_person()
    for player in (*broken, good):
        close_account(player=player, closing=Closing.DELETION)
    anonymise = privacy_services._anonymise

    def fail(account: Player) -> None:
        if account in broken:
            raise ValueError("heather@example.org")
        anonymise(account)

    monkeypatch.setattr(privacy_services, "_anonymise", fail)
    for _ in range(100):  # in random order: all batches miss one of three accounts only with 3 ** -100
        if complete_deletions(at_most=2) == 1:
            break
    good.refresh_from_db()
    assert (good.closing, good.deleted_at is not None) == ("", True)
    assert "failed with ValueError" in caplog.text
    assert "heather@example.org" not in caplog.text
    monkeypatch.undo()
    assert complete_deletions() == 2
    assert not Player.objects.filter(closing=Closing.DELETION).exists()


def test_ban_cannot_be_lifted_while_matches_are_being_left(database: str) -> None:
    player = make_player()
    close_account(player=player, closing=Closing.BAN)
    with raises_problem("not_allowed"):
        unban_player(operator=make_player(), player=player, reason="sorry")
    complete_closings()
    player.refresh_from_db()
    unban_player(operator=make_player(), player=player, reason="sorry")
    assert Player.objects.get(pk=player.pk).is_active


def test_closed_account_cannot_be_banned_again(database: str) -> None:
    with raises_problem("not_allowed"):
        ban_player(operator=make_player(), player=closed_player(), reason="rude")


def test_closed_account_cannot_be_locked(database: str) -> None:
    with raises_problem("not_authenticated"):
        lock_player(closed_player())


def give_token(player: Player) -> None:
    ApiToken(user=player, digest="0" * 128, token_key="haggis_1", scopes="").save(force_insert=True)


def give_webhook(player: Player) -> None:
    now = timezone.now()
    Webhook.objects.create(player=player, url="https://bots.example", secret=Secret(""), created_at=now)


def give_device(player: Player) -> None:
    Device.objects.create(player=player, subscription=Secret({}), created_at=timezone.now())


def give_new_seat(player: Player) -> None:
    make_match(make_player(), player)


def give_open_seat(player: Player) -> None:
    match = make_match(make_player(), make_player())
    Seat.objects.filter(match=match, number=1).update(player=player)


def invite_to_declined_seat(player: Player) -> None:
    match = make_match(make_player(), make_player())
    Seat.objects.filter(match=match, number=1).update(player=player, state=SeatState.DECLINED)
    Seat.objects.filter(match=match, number=1).update(state=SeatState.INVITED)


@pytest.mark.parametrize(
    "write",
    (give_token, give_webhook, give_device, give_new_seat, give_open_seat, invite_to_declined_seat),
)
def test_database_gives_nothing_to_a_closed_account(database: str, write: Any) -> None:
    player = closed_player()
    with pytest.raises(DatabaseError, match="the account is closed"), transaction.atomic():
        write(player)


@pytest.mark.parametrize(
    "column",
    (
        {"username": "heather"},
        {"email": "heather@example.org"},
        {"display_name": "Heather"},
        {"password": "pbkdf2_sha256$1$x$y"},
        {"is_active": True},
        {"is_staff": True},
        {"email_confirmed": True},
    ),
)
def test_database_refuses_data_in_a_deleted_account(database: str, column: dict[str, Any]) -> None:
    player = closed_player()
    with pytest.raises(DatabaseError), transaction.atomic():
        Player.objects.filter(pk=player.pk).update(**column)


def test_database_closes_no_account_that_has_a_token(database: str) -> None:
    player = make_player()
    log_in_token(player=player)
    with pytest.raises(DatabaseError, match="a closed account has a token"), transaction.atomic():
        Player.objects.filter(pk=player.pk).update(is_active=False)


def test_database_closes_no_account_that_a_match_waits_for(database: str) -> None:
    player = make_player()
    start_match(player, make_player())
    with pytest.raises(DatabaseError, match="a closed account has a seat"), transaction.atomic():
        Player.objects.filter(pk=player.pk).update(is_active=False)


def test_guards_are_restored_after_migrations(committing_database: str) -> None:
    """SQLite refuses to rename the copy of a table that the trigger of another table refers to."""
    call_command("migrate", "games", "0018", verbosity=0)
    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            assert {name for (name,) in cursor.fetchall()} >= TRIGGERS.keys()
    with pytest.raises(DatabaseError, match="the account is closed"), transaction.atomic():
        give_token(closed_player())
