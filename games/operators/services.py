"""Actions of operators on matches and players, recorded in the audit log with their reasons."""

from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from games.accounts.services.addresses import block_addresses, guest_block_end, unblock_addresses
from games.accounts.services.second_factor import find_second_factor, remove_second_factor
from games.ai.tasks import dispatch_waiting_turns
from games.clock.pauses import longest_pause
from games.clock.timeouts import caretaker_event
from games.clock.turn_events import extension_event, pause_event, resumption_event
from games.core.errors import Problem, invalid_field, require_found
from games.gateway.documents import RevealedHands
from games.gateway.views import reveal_hands as gateway_reveal_hands
from games.identity.models import Closing, Player, PlayerKind
from games.identity.services import close_account, revoke_all
from games.lobby.services.membership import leave_all_matches, write_cancellation
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import Match, MatchStatus
from games.matches.publish import publish
from games.matches.queries import IN_PLAY
from games.matches.store import MatchRow, find_match, lock_match
from games.operators.models import MAX_REASON_LENGTH, OperatorAction, OperatorActionType
from games.play.resignation import early_end_event

_OPEN = frozenset({MatchStatus.OPEN})
_ACTIVE = frozenset({MatchStatus.ACTIVE})
_PAUSED = frozenset({MatchStatus.PAUSED})
# Operators may pause a match for this long even if its players have used up their pauses.
MIN_PAUSE_LENGTH = timedelta(days=1)


@transaction.atomic
def cancel_open_match(*, operator: Player, match_id: str, reason: str) -> None:
    """Cancel a match that has not started."""
    row = lock_in_status(match_id, _OPEN, "match_not_open")
    record_action(operator=operator, action=OperatorActionType.CANCEL, match=row.id, reason=reason)
    publish(write_cancellation(row, by=Actor.OPERATOR, seat=None))


@transaction.atomic
def pause_match(*, operator: Player, match_id: str, reason: str) -> None:
    """Pause a match without the consent of its players; like any pause it ends automatically."""
    row = lock_in_status(match_id, _ACTIVE)
    record_action(operator=operator, action=OperatorActionType.PAUSE, match=row.id, reason=reason)
    longest = max(MIN_PAUSE_LENGTH, longest_pause(row))
    publish(commit_or_conflict(pause_event(row, by=Actor.OPERATOR, seat=None, longest=longest)))


@transaction.atomic
def resume_match(*, operator: Player, match_id: str, reason: str) -> None:
    """Resume a paused match."""
    row = lock_in_status(match_id, _PAUSED, "match_not_paused")
    record_action(operator=operator, action=OperatorActionType.RESUME, match=row.id, reason=reason)
    publish(commit_or_conflict(resumption_event(row, by=Actor.OPERATOR, seat=None)))


@transaction.atomic
def extend_turn(*, operator: Player, match_id: str, reason: str, seconds: int) -> None:
    """Extend the current turn by a number of seconds."""
    row = lock_in_status(match_id, _ACTIVE)
    if row.deadline is None:
        raise Problem("no_deadline")
    details = {"seconds": seconds, "seat": row.to_act}
    record_action(
        operator=operator, action=OperatorActionType.EXTEND, match=row.id, reason=reason, details=details
    )
    publish(commit_or_conflict(extension_event(row, timedelta(seconds=seconds), by=Actor.OPERATOR)))


@transaction.atomic
def replace_seat(*, operator: Player, match_id: str, reason: str, seat: int) -> None:
    """Let a caretaker play a seat until its player takes it back."""
    row = lock_in_status(match_id, IN_PLAY)
    if not 0 <= seat < len(row.seats):
        raise invalid_field("/seat", "too_large", f"The seats are numbered 0 to {len(row.seats) - 1}.")
    if row.seats[seat].is_automatic:
        raise Problem("caretaker_playing", "An AI already plays this seat.")
    record_action(
        operator=operator,
        action=OperatorActionType.REPLACE,
        match=row.id,
        reason=reason,
        details={"seat": seat},
    )
    publish(commit_or_conflict(caretaker_event(row, row.seats[seat], by=Actor.OPERATOR)))


@transaction.atomic
def annul_match(*, operator: Player, match_id: str, reason: str) -> None:
    """End an unrated match without a winner; the current round is revealed and not scored.

    Annulling a rated match needs two operators (`games.operators.proposals`).
    """
    row = lock_in_status(match_id, IN_PLAY)
    if row.rated:
        raise Problem("not_allowed", "A second operator has to approve the annulment of a rated match.")
    annul_locked_match(row, operator=operator, reason=reason)


def annul_locked_match(
    row: MatchRow, *, operator: Player, reason: str, details: dict[str, Any] | None = None
) -> None:
    """Annul a locked match that is in play."""
    record_action(
        operator=operator, action=OperatorActionType.ANNUL, match=row.id, reason=reason, details=details
    )
    publish(commit_or_conflict(early_end_event(row, EventType.ANNULLED, by=Actor.OPERATOR)))


def lock_in_status(match_id: str, statuses: Collection[str], code: str = "match_not_active") -> MatchRow:
    """Lock a match and return it, or raise this problem if its status is a different one."""
    lock_match(match_id)
    row = require_found(find_match(match_id))
    if row.status not in statuses:
        raise Problem(code)
    return row


def ban_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Ban a player and their bots: log them out, and resign or leave all their matches.

    For some hours after the ban of a guest, no guest can be created from the same addresses: the block is
    committed with the ban. If the process dies before all matches are left, the sweep leaves the others
    (`complete_bans`).
    """
    if player.is_staff or player.is_superuser:
        raise Problem("not_allowed", "Dismiss this member of the staff before banning them.")
    if not player.is_active:
        raise Problem("not_allowed", "This account is already banned or deleted.")
    with transaction.atomic():
        accounts = close_account(player=player, closing=Closing.BAN)
        entry = record_action(operator=operator, action=OperatorActionType.BAN, player=player, reason=reason)
        until = guest_block_end(timezone.now())
        if player.kind == PlayerKind.GUEST and until is not None:
            block_addresses(player=player, until=until)
    leave_all_matches(players=accounts)
    player.is_active = False
    return entry


@transaction.atomic
def unban_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Lift the ban of a player and their bots. They have to log in again; deleted accounts stay deleted."""
    if player.deleted_at is not None:
        raise Problem("not_allowed", "This account was deleted by its owner.")
    closing = Player.objects.select_for_update(no_key=True).get(pk=player.pk).closing
    if closing != Closing.NONE:
        raise Problem("not_allowed", "The matches of this account are still being left. Try again soon.")
    entry = record_action(operator=operator, action=OperatorActionType.UNBAN, player=player, reason=reason)
    for accounts in (player.bots.filter(deleted_at=None), Player.objects.filter(pk=player.pk)):
        accounts.update(is_active=True)
    unblock_addresses(player=player)
    player.is_active = True
    return entry


@transaction.atomic
def retry_ai_turn(*, operator: Player, match_id: str, reason: str) -> None:
    """Let a worker take the waiting turn of an AI or a caretaker now, with all its attempts."""
    row = lock_in_status(match_id, _ACTIVE)
    if row.wake_at is None:
        raise Problem("not_allowed", "No automatic turn is waiting.")
    record_action(
        operator=operator,
        action=OperatorActionType.RETRY_AI,
        match=row.id,
        reason=reason,
        details={"seat": row.to_act, "attempts": row.attempts},
    )
    Match.objects.filter(pk=row.id).update(wake_at=Now(), attempts=0)
    transaction.on_commit(dispatch_waiting_turns, robust=True)


def note_player(*, operator: Player | None, player: Player, reason: str) -> OperatorAction:
    """Add a note about a player to the audit log, where only operators and moderators see it."""
    return record_action(operator=operator, action=OperatorActionType.NOTE, player=player, reason=reason)


@transaction.atomic
def remove_lost_second_factor(*, player: Player, reason: str) -> OperatorAction:
    """Remove the second factor of a player who has lost it, end all sessions and note it in the audit log."""
    if find_second_factor(player) is None:
        raise Problem("not_found", "This player has no second factor.")
    remove_second_factor(player=player)
    revoke_all(player=player)
    return note_player(operator=None, player=player, reason=f"second factor removed: {reason}")


@transaction.atomic
def reveal_hands(*, operator: Player, match_id: str, reason: str) -> RevealedHands:
    """Return all current hands and the haggis, and record the access in the audit log."""
    row = require_found(find_match(match_id))
    if row.status not in IN_PLAY:
        raise Problem("match_not_active")
    if row.seat_held_by(operator) is not None:
        raise Problem("not_allowed", "You cannot reveal the hands of a match in which you play.")
    record_action(
        operator=operator,
        action=OperatorActionType.REVEAL,
        match=row.id,
        reason=reason,
        details={"version": row.version, "round": row.round_number},
    )
    return gateway_reveal_hands(row.table())


class Role(StrEnum):
    """The roles of the staff: moderators manage players; operators manage matches too."""

    MODERATOR = "moderator"
    OPERATOR = "operator"


_VIEW_PERMISSIONS: Final = (
    "view_match",
    "view_player",
    "view_operatoraction",
    "view_webhook",
    "view_delivery",
    "view_oauthapp",
)
PERMISSIONS: Final = {
    Role.MODERATOR: (*_VIEW_PERMISSIONS, "moderate_players"),
    Role.OPERATOR: (*_VIEW_PERMISSIONS, "moderate_players", "operate_matches", "reveal_hands"),
}


@transaction.atomic
def appoint(*, player: Player, role: Role, reason: str, operator: Player | None = None) -> OperatorAction:
    """Give a player access to the admin with this role, replacing any other role."""
    if player.kind != PlayerKind.HUMAN or not player.is_active:
        raise Problem("not_allowed", "Only people with a registered, active account can have a role.")
    player.groups.set([_group(role)])
    _set_staff(player, is_staff=True)
    return record_action(
        operator=operator,
        action=OperatorActionType.APPOINT,
        player=player,
        reason=reason,
        details={"role": role},
    )


@transaction.atomic
def dismiss(*, player: Player, reason: str, operator: Player | None = None) -> OperatorAction:
    """Remove the role of a player and their access to the admin."""
    player.groups.clear()
    _set_staff(player, is_staff=False)
    return record_action(operator=operator, action=OperatorActionType.DISMISS, player=player, reason=reason)


def _group(role: Role) -> Group:
    """Return the group of a role with its current permissions, creating it if necessary."""
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
    action: OperatorActionType,
    reason: str,
    match: str | None = None,
    player: Player | None = None,
    details: dict[str, Any] | None = None,
) -> OperatorAction:
    """Write an entry of the audit log; the operator is None for management commands."""
    return OperatorAction.objects.create(
        operator=operator,
        action=action,
        match_id=match,
        player=player,
        reason=validated_reason(reason),
        details=details or {},
    )


def validated_reason(reason: str) -> str:
    """Normalize white space in a reason; raise a problem if it is blank or too long."""
    normalized = " ".join(reason.split())
    if not normalized:
        raise invalid_field("/reason", "blank", "Enter a reason.")
    if len(normalized) > MAX_REASON_LENGTH:
        raise invalid_field("/reason", "too_long", f"At most {MAX_REASON_LENGTH} characters.")
    return normalized
