"""Create or join the rematch of a finished match."""

from collections.abc import Mapping

from django.db import transaction

from games.core.errors import Problem
from games.core.languages import message
from games.gateway.agreement import make_agreement, options_today, validate_client_seed
from games.identity.models import Player
from games.identity.services import lock_player, lock_players, require_active, seatable
from games.lobby.services.creation import (
    AI,
    MATCH_SETTINGS,
    ME,
    PLAYER,
    SeatRequest,
    fill_seat,
    insert_match,
    match_from_agreement,
)
from games.lobby.services.membership import choose_seat, take_seat
from games.lobby.services.seats import (
    change_seat,
    check_created_match_limits,
    declined_seat,
    require_held_seat,
    require_open,
    seat_offered_to,
    start_when_filled,
)
from games.matches.documents import TableDocument
from games.matches.models.log import EventType
from games.matches.models.match import Match, MatchStatus
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match
from games.ratings.eligibility import can_be_rated_again


def create_or_join_rematch(
    *, match_id: str, player: Player, client_seed: str = ""
) -> tuple[bool, TableDocument]:
    """Create the rematch of a finished match, or join it; return whether it is new, and its table.

    The finished match is locked, so that concurrent requests share one rematch. If the rematch was cancelled,
    the next request creates another one.
    """
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        require_held_seat(row, player)
        if row.status != MatchStatus.FINISHED:
            raise Problem("match_not_finished")
        if row.imported_at is not None:
            raise Problem("not_allowed", message("An imported match cannot have a rematch."))
        existing_id = _find_rematch(row)
        if existing_id is not None:
            _join_rematch(existing_id, lock_player(player), seed)
        next_id = existing_id or _create_rematch(row, player, seed)
    return existing_id is None, render_table(read_match(next_id, player), player)


def _find_rematch(row: MatchRow) -> str | None:
    """Return the id of the rematch, or `None` if there is none or it was cancelled."""
    rematch = Match.objects.filter(pk=row.next_match_id).exclude(status=MatchStatus.CANCELLED)
    return rematch.values_list("pk", flat=True).first()


def _join_rematch(rematch_id: str, player: Player, seed: str) -> None:
    """Take the player's seat in the rematch, unless the player already has one."""
    row = lock_and_read_match(match_id=rematch_id, player=player)
    if row.seat_of(player) is not None:
        return
    require_open(row)
    take_seat(row, player, choose_seat(row, player, None), seed)


def _create_rematch(row: MatchRow, player: Player, seed: str) -> str:
    """Create the rematch: seat the player, invite the others, and keep the AI seats."""
    match = _build_rematch(row, player)
    active = lock_players([player.pk, *[seat.player_id for seat in row.seats if seat.player_id is not None]])
    player, active = require_active(active, player), seatable(active)
    waits = any(seat.player_id not in {None, player.pk} for seat in row.seats)
    check_created_match_limits(player, match, waits=waits)
    new = insert_match(match, player)
    for seat in row.seats:
        new = _copy_seat(new, seat, player, active, seed)
    publish(start_when_filled(new, by_seat=None))
    Match.objects.filter(pk=row.id).update(next_match=new.id)
    return new.id


def _build_rematch(row: MatchRow, maker: Player) -> Match:
    """Return a match with the same settings under the current version of the rule set, not yet saved."""
    agreement = make_agreement(
        ruleset=row.ruleset,
        players=row.players,
        options=options_today(row.ruleset, row.options),
        target_score=row.target_score,
        rounds=row.rounds_limit,
    )
    settings = {name: getattr(row, name) for name in MATCH_SETTINGS}
    settings["rated"] = can_be_rated_again(row)
    return match_from_agreement(maker, agreement, **settings)


def _copy_seat(
    new: MatchRow, seat: SeatRow, maker: Player, active: Mapping[int, Player], seed: str
) -> MatchRow:
    """Fill one seat as in the finished match. The seat of a deactivated account counts as declined."""
    if seat.player_id is None:
        return fill_seat(new, seat.number, SeatRequest(AI, level=seat.level))
    if seat.player_id == maker.pk:
        return fill_seat(new, seat.number, SeatRequest(ME, player=maker), client_seed=seed)
    if seat.player_id in active:
        return fill_seat(new, seat.number, SeatRequest(PLAYER, player=active[seat.player_id]))
    player = Player.objects.get(pk=seat.player_id)
    declined = declined_seat(seat_offered_to(new.seats[seat.number], player))
    return change_seat(new, EventType.SEAT_CHANGED, declined)
