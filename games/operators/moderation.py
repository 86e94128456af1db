"""Warn, rename and suspend players.

A suspension keeps nobody waiting: a caretaker plays in matches with other people, matches against AIs only
are paused until its end, and open matches are left. Players take their seats back once it has ended.
"""

import logging
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.accounts.services.addresses import block_addresses, guest_block_end, unblock_addresses
from games.accounts.services.names import check_username
from games.accounts.services.notices import notify_player
from games.clock.timeouts import caretaker_event
from games.clock.turn_events import pause_event
from games.core.errors import Problem, invalid_field, raised
from games.identity.models import AccountNoticeKind, Player, PlayerKind
from games.identity.queries import find_player
from games.identity.services import lock_players, suspend_account
from games.lobby.services.membership import leave_locked_match
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor
from games.matches.models.match import MatchStatus, Seat, SeatState
from games.matches.publish import publish
from games.matches.queries import IN_PLAY
from games.matches.store import MatchRow, SeatRow, find_match, lock_match
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import record_action, validated_reason

MAX_SUSPENSION: Final = timedelta(days=366)
COMPLETED_AT_ONCE: Final = 50
_NAME_ATTEMPTS: Final = 5

log = logging.getLogger(__name__)


def warn_player(*, operator: Player, player: Player, reason: str, message: str) -> OperatorAction:
    """Show a message to a player until it is acknowledged, and mail it to a confirmed address."""
    with transaction.atomic():
        _require_open_account(player)
        text = _validated_message(message)
        notify_player(player=player, kind=AccountNoticeKind.WARNING, text=text)
        return record_action(operator=operator, action=OperatorActionType.WARN, player=player, reason=reason)


def rename_player(
    *, operator: Player, player: Player, reason: str, message: str, username: str = ""
) -> OperatorAction:
    """Replace the username of a player, by a neutral one if none is given, and remove the display name.

    The audit log has neither name, so that both are gone once the account is deleted.
    """
    text = _validated_message(message)
    for _ in range(_NAME_ATTEMPTS):
        name = username or f"player-{secrets.token_hex(4)}"
        _require_free_name(name, player)
        try:
            return _rename(operator, player, reason, text, name)
        except IntegrityError as error:
            if username:
                raise _name_taken() from error
    raise Problem("unavailable")


@transaction.atomic
def _rename(operator: Player, player: Player, reason: str, text: str, username: str) -> OperatorAction:
    current = _require_open_account(player)
    Player.objects.filter(pk=current.pk).update(username=username, display_name="")
    player.refresh_from_db()
    notify_player(player=player, kind=AccountNoticeKind.RENAMED, text=text)
    return record_action(operator=operator, action=OperatorActionType.RENAME, player=player, reason=reason)


def _require_free_name(username: str, player: Player) -> None:
    check_username(username)
    holder = find_player(username)
    if holder is not None and holder.pk != player.pk:
        raise _name_taken()


def _name_taken() -> Problem:
    return invalid_field("/username", "invalid", "This name is taken.")


def _require_open_account(player: Player) -> Player:
    """Lock an account that is neither banned nor deleted, within a transaction, and return it."""
    current = lock_players([player.pk]).get(player.pk)
    if current is None:
        raise Problem("not_allowed", "This account is banned or deleted.")
    return current


def _validated_message(message: str) -> str:
    try:
        return validated_reason(message)
    except Problem as problem:
        raise invalid_field("/message", "invalid", f"Message: {problem.detail}") from problem


def suspend_player(
    *, operator: Player, player: Player, reason: str, message: str, days: int
) -> OperatorAction:
    """Suspend a player and their bots for a number of days, from now on.

    Requests with their tokens are refused until then. If the process dies before all matches are handed over,
    the sweep completes it (`complete_suspensions`).
    """
    if player.is_staff or player.is_superuser:
        raise Problem("not_allowed", "Dismiss this member of the staff before suspending them.")
    length = timedelta(days=days)
    if not timedelta(0) < length <= MAX_SUSPENSION:
        raise invalid_field("/days", "invalid", f"A suspension lasts 1 to {MAX_SUSPENSION.days} days.")
    text, now = _validated_message(message), timezone.now()
    until = now + length
    with transaction.atomic():
        accounts = suspend_account(player=player, until=until)
        notify_player(player=player, kind=AccountNoticeKind.SUSPENSION, text=text, until=until)
        entry = record_action(
            operator=operator,
            action=OperatorActionType.SUSPEND,
            player=player,
            reason=reason,
            details={"days": days},
        )
        block_end = guest_block_end(now)
        if player.kind == PlayerKind.GUEST and block_end is not None:
            block_addresses(player=player, until=min(until, block_end))
    hand_over_matches(accounts)
    return entry


@transaction.atomic
def unsuspend_player(*, operator: Player, player: Player, reason: str) -> OperatorAction:
    """Lift the suspension of a player and their bots. They take their seats back themselves.

    A bot stays suspended until the end of its own suspension, or of its owner's.
    """
    if not player.is_suspended:
        raise Problem("not_allowed", "This account is not suspended.")
    if not has_own_suspension(player):
        raise Problem("not_allowed", "The owner of this bot is suspended: lift the suspension of the owner.")
    suspend_account(player=player, until=None)
    unblock_addresses(player=player)
    return record_action(operator=operator, action=OperatorActionType.UNSUSPEND, player=player, reason=reason)


def has_own_suspension(player: Player) -> bool:
    """Return whether the account itself is suspended, and not only the owner of the bot."""
    end = player.own_suspension_until
    return end is not None and end > timezone.now()


def hand_over_matches(players: Sequence[Player]) -> bool:
    """Hand over all unfinished matches of suspended players, each in its own transaction.

    A match that fails does not keep the others; return whether all were handed over.
    """
    ends = {player.pk: player.suspended_until for player in players if player.suspended_until is not None}
    waiting = _seats_to_hand_over().filter(player__in=ends)
    match_ids = sorted(set(waiting.values_list("match_id", flat=True)))
    results = [_try_to_hand_over(match_id, ends) for match_id in match_ids]
    return all(results)


def _seats_to_hand_over() -> Any:  # noqa: ANN401 -- a query
    """Return the seats in which a match may wait for its player."""
    playing = Q(state=SeatState.PLAYING, match__status__in=(MatchStatus.OPEN, MatchStatus.ACTIVE))
    invited = Q(state=SeatState.INVITED, match__status=MatchStatus.OPEN)
    return Seat.objects.filter(playing | invited, live=True, player__isnull=False)


def _try_to_hand_over(match_id: str, ends: Mapping[int, datetime]) -> bool:
    """Hand over one match; return whether it worked. A failure is logged without its message."""
    try:
        with transaction.atomic():
            lock_match(match_id)
            row = find_match(match_id)
            if row is not None:
                _hand_over(row, ends)
    except Exception as error:  # noqa: BLE001 -- one match must not block the others
        log.error(  # noqa: TRY400 -- the message of the error may contain cards
            "handing over match %s failed with %s", match_id, type(error).__name__, extra=raised(error)
        )
        return False
    return True


def _hand_over(row: MatchRow, ends: Mapping[int, datetime]) -> None:
    """Hand over one match as its status requires, which is decided under the lock on the match.

    `ends` has the end of the suspension of each player who is suspended.
    """
    if row.status == MatchStatus.OPEN:
        leave_locked_match(row, frozenset(ends))
        return
    if row.status not in IN_PLAY:
        return
    own = [each for each in row.seats if each.player_id in ends and each.state == SeatState.PLAYING]
    others = [each for each in row.seats if each.player_id not in ends and _is_person(each)]
    if others:
        for number in [seat.number for seat in own]:
            row = commit_or_conflict(caretaker_event(row, row.seats[number], by=Actor.OPERATOR))
            publish(row)
    elif own and row.status == MatchStatus.ACTIVE:
        until = max(ends[each.player_id] for each in own if each.player_id is not None)
        longest = max(until - row.now, timedelta(seconds=1))
        publish(commit_or_conflict(pause_event(row, by=Actor.OPERATOR, seat=None, longest=longest)))


def _is_person(seat: SeatRow) -> bool:
    return seat.player_id is not None and seat.state in {SeatState.PLAYING, SeatState.CARETAKER}


def complete_suspensions(*, at_most: int = COMPLETED_AT_ONCE) -> int:
    """Hand over matches of suspended players that were missed; return the number of players.

    The order is random, so that matches that fail again and again do not fill every batch.
    """
    waiting = _seats_to_hand_over().filter(player__suspended_until__gt=timezone.now()).order_by("?")
    player_ids = set(waiting.values_list("player_id", flat=True)[:at_most])
    players = list(Player.objects.filter(pk__in=player_ids))
    for player in players:
        hand_over_matches([player])
    return len(players)
