"""Create or join the rematch of a finished match."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from games.core.errors import Problem
from games.gateway.agreement import make_agreement, options_today, validate_client_seed
from games.identity.models import Player
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
    declined_seat,
    refuse_too_many_made,
    refuse_unless_open,
    refuse_unless_ratable,
    require_own_seat,
    seat_offered_to,
    start_when_filled,
)
from games.matches.models.log import EventType
from games.matches.models.match import Match, MatchStatus
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match

Form = dict[str, Any]


def create_or_join_rematch(*, match_id: str, player: Player, client_seed: str = "") -> tuple[bool, Form]:
    """Make the next match of one that is finished, or sit down at it; whether it is new, and its table.

    The old match is held meanwhile, so that everybody who asks comes to the same table. A next match that was
    called off counts for nothing: who asks then makes another.
    """
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        require_own_seat(row, player)
        if row.status != MatchStatus.FINISHED:
            raise Problem("match_not_finished")
        if row.imported_at is not None:
            raise Problem("not_allowed", "A match that was played elsewhere is not played again here.")
        there = _open_next_match(row)
        if there is not None:
            _sit_down(there, player, seed)
        next_id = there or _make(row, player, seed)
    return there is None, render_table(read_match(next_id, player), player)


def _open_next_match(row: MatchRow) -> str | None:
    """The next match, if there is one that was not called off."""
    following = Match.objects.filter(pk=row.next_match_id).exclude(status=MatchStatus.CANCELLED)
    return following.values_list("pk", flat=True).first()


def _sit_down(next_id: str, player: Player, seed: str) -> None:
    """Take one's seat at the next match, unless one has it."""
    row = lock_and_read_match(match_id=next_id, player=player)
    if row.seat_of(player) is not None:
        return
    refuse_unless_open(row)
    take_seat(row, player, choose_seat(row, player, None), seed)


def _make(row: MatchRow, player: Player, seed: str) -> str:
    """Make the next match: its asker sits, other people are asked, AI seats are as before."""
    match = _same_agreement(row, player)
    refuse_unless_ratable(player, rated=match.rated)
    refuse_too_many_made(player)
    new = insert_match(match, player)
    people = Player.objects.in_bulk([seat.player_id for seat in row.seats if seat.player_id is not None])
    for seat in row.seats:
        new = _copy_seat(new, seat, player, people, seed)
    publish(start_when_filled(new, by_seat=None))
    Match.objects.filter(pk=row.id).update(next_match=new.id)
    return new.id


def _same_agreement(row: MatchRow, maker: Player) -> Match:
    """The same agreement, by the rule set as it reads now."""
    agreement = make_agreement(
        ruleset=row.ruleset,
        players=row.players,
        options=options_today(row.ruleset, row.options),
        target_score=row.target_score,
        rounds=row.rounds_limit,
    )
    same = {name: getattr(row, name) for name in MATCH_SETTINGS}
    return match_from_agreement(maker, agreement, **same)


def _copy_seat(
    new: MatchRow, seat: SeatRow, asker: Player, people: Mapping[int, Player], seed: str
) -> MatchRow:
    """One seat as it was. Where an account is gone, the seat waits for the maker to fill it."""
    if seat.player_id is None:
        return fill_seat(new, seat.number, SeatRequest(AI, level=seat.level))
    player = people[seat.player_id]
    if player == asker:
        return fill_seat(new, seat.number, SeatRequest(ME, player=player), client_seed=seed)
    if player.is_active:
        return fill_seat(new, seat.number, SeatRequest(PLAYER, player=player))
    nobody = declined_seat(seat_offered_to(new.seats[seat.number], player))
    return change_seat(new, EventType.SEAT_CHANGED, nobody)
