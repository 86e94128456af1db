"""Keeping somebody out, letting them in again, and writing down what the next operator should know."""

from django.db import transaction

from games.errors import Problem
from games.models import ApiToken, OperatorAction, OperatorDeed, Player
from games.services.lobby.departing import leave_all_matches
from games.services.operators.recording import record_deed


@transaction.atomic
def ban_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Keep a player and their bots out. Nobody is left waiting for them: what they play they resign."""
    if player.is_staff or player.is_superuser:
        raise Problem("not_allowed", "Whoever helps to run the service is dismissed first.")
    deed = record_deed(operator=operator, deed=OperatorDeed.BAN, player=player, reason=reason)
    for account in [*player.bots.all(), player]:
        ApiToken.objects.filter(user=account).delete()
        leave_all_matches(player=account)
    _all_of(player, is_active=False)
    return deed


@transaction.atomic
def unban_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Let a player, and their bots, in again. Tokens are made anew; an account that was deleted stays so."""
    if player.deleted_at is not None:
        raise Problem("not_allowed", "This account was deleted by its owner.")
    deed = record_deed(operator=operator, deed=OperatorDeed.UNBAN, player=player, reason=reason)
    _all_of(player, is_active=True)
    return deed


def _all_of(player: Player, *, is_active: bool) -> None:
    for accounts in (player.bots.filter(deleted_at=None), Player.objects.filter(pk=player.pk)):
        accounts.update(is_active=is_active)
    player.is_active = is_active


def note_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Write something down about a player, for operators alone."""
    return record_deed(operator=operator, deed=OperatorDeed.NOTE, player=player, reason=reason)
