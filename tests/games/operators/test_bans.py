"""Bans, unbans, notes and the audit log."""

import pytest
from django.db import DatabaseError, transaction

from games.accounts.services.sign_in import create_bot, create_guest, log_in, register
from games.core.addresses import Source
from games.core.errors import Problem
from games.identity.models import ApiToken, Player
from games.matches.models.match import MatchStatus
from games.operators import services as operator_services
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import ban_player, note_player, record_action, unban_player
from tests.support.factories import make_player, read_row, start_match
from tests.support.roles import as_owner

_PASSWORD = "tartan-blanket-77"
_SOURCE = Source("192.0.2.1")


def _registered(name: str) -> Player:
    return register(username=name, password=_PASSWORD, source=_SOURCE).token.user


def test_ban_logs_out_the_player_and_resigns_their_matches(database: str) -> None:
    operator, rude, other = make_player(), _registered("rude"), make_player()
    match = start_match(rude, other)
    ban_player(operator=operator, player=rude, reason="swears at everybody")
    assert not ApiToken.objects.filter(user=rude).exists()
    assert read_row(match).status == MatchStatus.FINISHED
    with pytest.raises(Problem) as raised:
        log_in(username="rude", password=_PASSWORD, source=_SOURCE)
    assert raised.value.code == "account_banned"


def test_ban_and_unban_include_the_bots_of_the_player(database: str) -> None:
    owner = _registered("tinker")
    bot = create_bot(owner=owner, username="tin-man").token.user
    ban_player(operator=make_player(), player=owner, reason="their bot floods the lobby")
    assert not Player.objects.get(pk=bot.pk).is_active
    assert not ApiToken.objects.filter(user=bot).exists()
    unban_player(operator=make_player(), player=owner, reason="mended it")
    assert Player.objects.get(pk=bot.pk).is_active


def test_login_with_a_wrong_password_does_not_reveal_a_ban(database: str) -> None:
    rude = _registered("rude")
    ban_player(operator=make_player(), player=rude, reason="swears")
    with pytest.raises(Problem) as raised:
        log_in(username="rude", password="a-guess-at-it", source=_SOURCE)
    assert raised.value.code == "invalid_credentials"


def test_unbanned_player_can_log_in(database: str) -> None:
    sorry = _registered("sorry")
    ban_player(operator=make_player(), player=sorry, reason="swears")
    unban_player(operator=make_player(), player=sorry, reason="is sorry")
    assert log_in(username="sorry", password=_PASSWORD, source=_SOURCE).token.user == sorry
    actions = OperatorAction.objects.filter(player=sorry).order_by("pk").values_list("action", flat=True)
    assert list(actions) == [OperatorActionType.BAN, OperatorActionType.UNBAN]


def test_staff_cannot_be_banned(database: str) -> None:
    with pytest.raises(Problem, match="Dismiss this member"):
        ban_player(operator=make_player(), player=make_player(is_staff=True), reason="a quarrel")


@pytest.mark.parametrize("reason", ("", "   "))
def test_action_without_a_reason_is_rejected(database: str, reason: str) -> None:
    rude = _registered("rude")
    with pytest.raises(Problem, match="Enter a reason"):
        ban_player(operator=make_player(), player=rude, reason=reason)
    assert Player.objects.get(pk=rude.pk).is_active
    assert ApiToken.objects.filter(user=rude).exists()


def test_ban_blocks_the_address_of_a_guest_in_the_transaction_that_closes_the_account(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies while the address is blocked: then the guest is not banned either."""
    guest = create_guest(source=_SOURCE).token.user

    def die(**_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(operator_services, "block_addresses", die)
        with pytest.raises(SystemExit):
            ban_player(operator=make_player(), player=guest, reason="floods")
    guest.refresh_from_db()
    assert (guest.is_active, OperatorAction.objects.exists()) == (True, False)

    with monkeypatch.context() as patch:
        patch.setattr(operator_services, "leave_all_matches", die)
        with pytest.raises(SystemExit):
            ban_player(operator=make_player(), player=guest, reason="floods")
    with pytest.raises(Problem) as raised:
        create_guest(source=_SOURCE)
    assert raised.value.code == "address_blocked"


def test_audit_log_cannot_be_changed(database: str) -> None:
    note_player(operator=make_player(), player=make_player(), reason="plays three boards at once")
    with as_owner(), pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        OperatorAction.objects.update(reason="nothing of the kind")


def test_database_rejects_an_audit_log_entry_without_a_reason(database: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        OperatorAction.objects.create(action=OperatorActionType.NOTE, player=make_player(), reason="")


def test_audit_log_entry_needs_a_match_or_a_player(database: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        record_action(operator=None, action=OperatorActionType.NOTE, reason="about nothing")
