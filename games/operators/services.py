"""Actions of operators on matches and players, each recorded with its reason."""

from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from games.clock.pauses import longest_pause
from games.clock.timeouts import caretaker_event
from games.clock.turn_events import extension_event, pause_event, resumption_event
from games.core.errors import Problem, invalid_field
from games.gateway.views import reveal_hands as gateway_reveal_hands
from games.identity.models import ApiToken, Player, PlayerKind
from games.lobby.services.membership import leave_all_matches, write_cancellation
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import MatchStatus
from games.matches.publish import publish
from games.matches.queries import IN_PLAY
from games.matches.store import MatchRow, find_match, lock_match
from games.operators.models import MAX_REASON_LENGTH, OperatorAction, OperatorActionType
from games.play.resignation import early_end_event

_OPEN = frozenset({MatchStatus.OPEN})
_ACTIVE = frozenset({MatchStatus.ACTIVE})
_PAUSED = frozenset({MatchStatus.PAUSED})
# Operators may pause for so long, whatever players have used up of theirs.
MIN_PAUSE_LENGTH = timedelta(days=1)


@transaction.atomic
def cancel_open_match(*, operator: Player, match_id: str, reason: str) -> None:
    """Call a match off that has not begun."""
    row = _lock_in_status(match_id, _OPEN, "match_not_open")
    record_action(operator=operator, deed=OperatorActionType.CANCEL, match=row.id, reason=reason)
    publish(write_cancellation(row, by=Actor.OPERATOR, seat=None))


@transaction.atomic
def pause_match(*, operator: Player, match_id: str, reason: str) -> None:
    """Pause a match, whatever its players want; it goes on by itself as after any pause."""
    row = _lock_in_status(match_id, _ACTIVE)
    record_action(operator=operator, deed=OperatorActionType.PAUSE, match=row.id, reason=reason)
    longest = max(MIN_PAUSE_LENGTH, longest_pause(row))
    publish(commit_or_conflict(pause_event(row, by=Actor.OPERATOR, seat=None, longest=longest)))


@transaction.atomic
def resume_match(*, operator: Player, match_id: str, reason: str) -> None:
    """End a pause."""
    row = _lock_in_status(match_id, _PAUSED, "match_not_paused")
    record_action(operator=operator, deed=OperatorActionType.RESUME, match=row.id, reason=reason)
    publish(commit_or_conflict(resumption_event(row, by=Actor.OPERATOR, seat=None)))


@transaction.atomic
def extend_turn(*, operator: Player, match_id: str, reason: str, seconds: int) -> None:
    """Give whoever is to act so much more time."""
    row = _lock_in_status(match_id, _ACTIVE)
    if row.deadline is None:
        raise Problem("no_deadline")
    details = {"seconds": seconds, "seat": row.to_act}
    record_action(
        operator=operator, deed=OperatorActionType.EXTEND, match=row.id, reason=reason, details=details
    )
    publish(commit_or_conflict(extension_event(row, timedelta(seconds=seconds), by=Actor.OPERATOR)))


@transaction.atomic
def replace_seat(*, operator: Player, match_id: str, reason: str, seat: int) -> None:
    """Have a caretaker play for somebody, who can take the seat back."""
    row = _lock_in_status(match_id, IN_PLAY)
    if not 0 <= seat < len(row.seats):
        raise invalid_field("/seat", "too_large", f"The seats are numbered 0 to {len(row.seats) - 1}.")
    if row.seats[seat].is_automatic:
        raise Problem("caretaker_playing", "An AI plays there already.")
    record_action(
        operator=operator,
        deed=OperatorActionType.REPLACE,
        match=row.id,
        reason=reason,
        details={"seat": seat},
    )
    publish(commit_or_conflict(caretaker_event(row, row.seats[seat], by=Actor.OPERATOR)))


@transaction.atomic
def annul_match(*, operator: Player, match_id: str, reason: str) -> None:
    """End a match without a winner; the round that runs is laid open, unscored."""
    row = _lock_in_status(match_id, IN_PLAY)
    record_action(operator=operator, deed=OperatorActionType.ANNUL, match=row.id, reason=reason)
    publish(commit_or_conflict(early_end_event(row, EventType.ANNULLED, by=Actor.OPERATOR)))


def _lock_in_status(
    match_id: str, statuses: Collection[str], otherwise: str = "match_not_active"
) -> MatchRow:
    """The match, kept as it is for the rest of the transaction; refused where it stands otherwise."""
    lock_match(match_id)
    row = find_match(match_id)
    if row is None:
        raise Problem("not_found")
    if row.status not in statuses:
        raise Problem(otherwise)
    return row


@transaction.atomic
def ban_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Keep a player and their bots out. Nobody is left waiting for them: what they play they resign."""
    if player.is_staff or player.is_superuser:
        raise Problem("not_allowed", "Whoever helps to run the service is dismissed first.")
    deed = record_action(operator=operator, deed=OperatorActionType.BAN, player=player, reason=reason)
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
    deed = record_action(operator=operator, deed=OperatorActionType.UNBAN, player=player, reason=reason)
    _all_of(player, is_active=True)
    return deed


def _all_of(player: Player, *, is_active: bool) -> None:
    for accounts in (player.bots.filter(deleted_at=None), Player.objects.filter(pk=player.pk)):
        accounts.update(is_active=is_active)
    player.is_active = is_active


def note_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Write something down about a player, for operators alone."""
    return record_action(operator=operator, deed=OperatorActionType.NOTE, player=player, reason=reason)


@transaction.atomic
def reveal_hands(*, operator: Player, match_id: str, reason: str) -> dict[str, Any]:
    """Every hand as it is held now, and the haggis. That it was looked at, by whom and why, is kept."""
    row = find_match(match_id)
    if row is None:
        raise Problem("not_found")
    if row.status not in IN_PLAY:
        raise Problem("match_not_active")
    if row.seat_held_by(operator) is not None:
        raise Problem("not_allowed", "Whoever plays in a match does not look into its hands.")
    record_action(
        operator=operator,
        deed=OperatorActionType.REVEAL,
        match=row.id,
        reason=reason,
        details={"version": row.version, "round": row.round_number},
    )
    return gateway_reveal_hands(row.table())


class Role(StrEnum):
    """Moderators look after people, operators after matches as well."""

    MODERATOR = "moderator"
    OPERATOR = "operator"


_LOOKING: Final = ("view_match", "view_player", "view_operatoraction", "view_webhook", "view_delivery")
PERMISSIONS: Final = {
    Role.MODERATOR: (*_LOOKING, "moderate_players"),
    Role.OPERATOR: (*_LOOKING, "moderate_players", "operate_matches", "reveal_hands"),
}


@transaction.atomic
def appoint(*, player: Player, role: Role, reason: str, operator: Player | None = None) -> OperatorAction:
    """Let a player into the admin, in this role and in no other."""
    if player.kind != PlayerKind.HUMAN or not player.is_active:
        raise Problem("not_allowed", "Only people with an account of their own help to run the service.")
    player.groups.set([_group(role)])
    _set_staff(player, is_staff=True)
    return record_action(
        operator=operator,
        deed=OperatorActionType.APPOINT,
        player=player,
        reason=reason,
        details={"role": role},
    )


@transaction.atomic
def dismiss(*, player: Player, reason: str, operator: Player | None = None) -> OperatorAction:
    """Let a player out of the admin again."""
    player.groups.clear()
    _set_staff(player, is_staff=False)
    return record_action(operator=operator, deed=OperatorActionType.DISMISS, player=player, reason=reason)


def _group(role: Role) -> Group:
    """The group of a role, with its permissions as they are named here."""
    group, _ = Group.objects.get_or_create(name=role.value)
    group.permissions.set(
        Permission.objects.filter(content_type__app_label="games", codename__in=PERMISSIONS[role])
    )
    return group


def _set_staff(player: Player, *, is_staff: bool) -> None:
    player.is_staff = is_staff
    player.save(update_fields=["is_staff"])


def record_action(
    *,
    operator: Player | None,
    deed: OperatorActionType,
    reason: str,
    match: str | None = None,
    player: Player | None = None,
    details: dict[str, Any] | None = None,
) -> OperatorAction:
    """Keep what an operator does; refused without a reason. No operator: a command on the machine itself."""
    return OperatorAction.objects.create(
        operator=operator,
        deed=deed,
        match_id=match,
        player=player,
        reason=validated_reason(reason),
        details=details or {},
    )


def validated_reason(reason: str) -> str:
    """The reason, tidied; refused where there is none."""
    tidy = " ".join(reason.split())
    if not tidy:
        raise invalid_field("/reason", "blank", "Say why: players may ask.")
    if len(tidy) > MAX_REASON_LENGTH:
        raise invalid_field("/reason", "too_long", f"At most {MAX_REASON_LENGTH} characters.")
    return tidy
