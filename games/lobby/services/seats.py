"""Change seats before the start, check limits, and start matches."""

import json
import math
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_noop as N_  # noqa: N812 -- the usual name of this marker

from games.core.errors import Problem, invalid_field
from games.core.languages import message
from games.gateway.agreement import Deals, validate_client_seed
from games.gateway.documents import EntryFields
from games.gateway.table import Table, deal_event
from games.identity.blocks import is_blocked
from games.identity.challenges import Challenge, check_challenge, find_policy
from games.identity.models import Player, PlayerKind
from games.matches.commit import Event
from games.matches.documents import TableDocument
from games.matches.entries import (
    after_event,
    build_entry,
    commit_or_conflict,
    round_begun,
    round_changes,
    table_changes,
)
from games.matches.models.log import Actor, EventType
from games.matches.models.match import UNFILLED_STATES, Match, MatchStatus, Seat, SeatState
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match
from games.matches.timing import next_timing
from games.ratings.eligibility import require_ratable_player

# The points of the leader in a round, fewer than AIs make on average.
POINTS_A_ROUND: Final = 25


def seat_taken_by(seat: SeatRow, player: Player, client_seed: str) -> SeatRow:
    """Return the seat taken by this player, whose seed for the deals is fixed from now on."""
    return _seat_with_player(seat, player)._replace(state=SeatState.PLAYING, client_seed=client_seed)


def seat_offered_to(seat: SeatRow, player: Player) -> SeatRow:
    """Return the seat reserved for an invited player."""
    return _seat_with_player(seat, player)._replace(state=SeatState.INVITED, client_seed="")


def seat_for_ai(seat: SeatRow, level: str) -> SeatRow:
    """Return the seat taken by an AI. An AI has no seed for the deals."""
    return open_seat(seat)._replace(state=SeatState.PLAYING, level=level)


def open_seat(seat: SeatRow) -> SeatRow:
    """Return the seat without a player, open to anyone."""
    empty = seat._replace(
        player_id=None, username=None, kind=None, preferences=None, has_confirmed_email=None
    )
    return empty._replace(time_zone=None, state=SeatState.OPEN, level="", client_seed="")


def declined_seat(seat: SeatRow) -> SeatRow:
    """Return the seat as declined by its player. The maker has to refill it."""
    return seat._replace(state=SeatState.DECLINED, client_seed="")


def _seat_with_player(seat: SeatRow, player: Player) -> SeatRow:
    return seat._replace(
        player_id=player.pk,
        username=player.username,
        kind=player.kind,
        level="",
        preferences=json.dumps(player.notifications),
        has_confirmed_email=player.email_confirmed,
        time_zone=player.time_zone,
    )


def _with_lifecycle(seat: SeatRow, now: datetime) -> SeatRow:
    """Set `live` and `joined_at` of a seat that changes now.

    A seat is live while its player can still do something in the match.
    """
    return seat._replace(
        live=seat.state not in {SeatState.DECLINED, SeatState.RESIGNED},
        joined_at=now if seat.state == SeatState.PLAYING else None,
    )


def require_open(row: MatchRow) -> None:
    """Refuse to change seats once the match has started or was cancelled."""
    if row.status != MatchStatus.OPEN:
        raise Problem("match_not_open")


def require_maker(row: MatchRow, player: Player) -> None:
    """Refuse everybody but the maker of the match, who need not have a seat in it."""
    if row.maker_id != player.pk:
        raise Problem("not_seated" if row.seat_of(player) is None else "not_the_maker")


def require_held_seat(row: MatchRow, player: Player) -> SeatRow:
    """Return the player's seat, taken or offered, or raise `not_seated`."""
    seat = row.seat_held_by(player)
    if seat is None:
        raise Problem("not_seated")
    return seat


def check_created_match_limits(player: Player, match: Match, *, waits: bool) -> None:
    """Refuse another match to a locked player who has created too many: waiting, unfinished, or in a day.

    `waits` says whether the match waits for other players, which one against AIs does not.
    """
    if waits:
        check_waiting_limit(player)
    unfinished = Match.objects.filter(maker=player, finished_at=None)
    _check_limit(unfinished.count(), settings.HAGGIS_MOST_MATCHES, _MANY_CREATED)
    _check_rounds_of_the_day(player, match)


def check_waiting_limit(player: Player) -> None:
    """Refuse another match that waits for players to a locked player who has created too many of them.

    A match whose seats are all filled waits only for its maker, who starts it (`hold`).
    """
    free = Seat.objects.filter(match=OuterRef("pk"), state__in=UNFILLED_STATES)
    waiting = Match.objects.filter(Exists(free), maker=player, status=MatchStatus.OPEN)
    _check_limit(waiting.count(), settings.HAGGIS_MOST_OPEN_MATCHES, _MANY_WAITING)


def _check_rounds_of_the_day(player: Player, match: Match) -> None:
    """Refuse a match with more rounds than the player and their bots have left for this day.

    Matches are stored for good, and an AI can play them to the end, so their rounds are counted when they are
    created.
    """
    owner_id = player.owner_id or player.pk
    accounts = [owner_id, *Player.objects.filter(owner_id=owner_id).values_list("pk", flat=True)]
    since = timezone.now() - timedelta(days=1)
    today = Match.objects.filter(maker__in=accounts, created_at__gt=since, imported_at=None)
    rounds = sum(expected_rounds(*each) for each in today.values_list("rounds_limit", "target_score"))
    limit = settings.HAGGIS_MOST_ROUNDS_A_DAY
    if rounds + expected_rounds(match.rounds_limit, match.target_score) > limit:
        raise Problem(
            "limit_reached",
            message(
                "The matches that you created in the last 24 hours have about {rounds} rounds, and this one "
                "has {expected}; the limit is {limit}. Your bots count as well.",
                rounds=rounds,
                expected=expected_rounds(match.rounds_limit, match.target_score),
                limit=limit,
            ),
            largest=limit,
        )


def expected_rounds(rounds_limit: int | None, target_score: int | None) -> int:
    """Return the number of rounds of a match, estimated from the target score if it has no number.

    >>> expected_rounds(6, None), expected_rounds(None, 250)
    (6, 10)
    """
    return rounds_limit or math.ceil((target_score or 0) / POINTS_A_ROUND)


def check_ai_match_limit(player: Player) -> None:
    """Refuse another match between AIs only to a player who has too many that are not over.

    Seats of players who have resigned count as AIs, because an AI plays them. The caller has locked the
    player.
    """
    is_guest = player.kind == PlayerKind.GUEST
    limit = settings.HAGGIS_MOST_AI_MATCHES_GUEST if is_guest else settings.HAGGIS_MOST_AI_MATCHES
    people = Seat.objects.filter(match=OuterRef("pk"), level="").exclude(state=SeatState.RESIGNED)
    count = Match.objects.filter(~Exists(people), maker=player, finished_at=None).count()
    if count >= limit:
        raise Problem(
            "too_many_ai_matches",
            message(
                "You have {count} unfinished matches in which only AIs play; the limit is {limit}. "
                "Cancel one of them (POST /matches/<id>/cancel), or wait until one has ended.",
                count=count,
                limit=limit,
            ),
            largest=limit,
        )


def is_between_ais(row: MatchRow) -> bool:
    """Return whether only AIs play, those that play for resigned players included."""
    return all(seat.level or seat.state == SeatState.RESIGNED for seat in row.seats)


_MANY_WAITING: Final = N_(
    "You have created {count} matches that are waiting for players; the limit is {limit}. Matches against "
    "AIs do not count."
)
_MANY_CREATED: Final = N_("You have created {count} matches that are not finished; the limit is {limit}.")
_MANY_PLAYED: Final = N_("You already play in {count} matches; the limit is {limit}.")


def check_seat_limit(player: Player) -> None:
    """Refuse another seat to a locked player with too many matches, or with as many as a bot declares."""
    policy = find_policy(player)
    limit = settings.HAGGIS_MOST_MATCHES if policy is None else policy.at_once
    _check_limit(_count_live_seats(player, _SEATED), min(limit, settings.HAGGIS_MOST_MATCHES), _MANY_PLAYED)


_SEATED: Final = (SeatState.PLAYING, SeatState.CARETAKER)


def _count_live_seats(player: Player, states: Collection[str]) -> int:
    return Seat.objects.filter(state__in=states, player=player, live=True).count()


def require_unblocked(row: MatchRow, player: Player) -> None:
    """Refuse a locked player if the maker or a player of the match blocks them, or is blocked by them."""
    seated = (seat.player_id for seat in row.seats if seat.live)
    others = {each for each in (row.maker_id, *seated) if each not in {None, player.pk}}
    if others and is_blocked(player, others):
        raise Problem(
            "join_refused",
            message(
                "{name} cannot play in this match. A player may have blocked another one.",
                name=player.username,
            ),
        )


def invite(row: MatchRow, seat: SeatRow, player: Player) -> MatchRow:
    """Offer a seat to a locked player. A bot can refuse by what it has declared, or take the seat at once."""
    require_unblocked(row, player)
    require_ratable_player(row, player)
    policy = find_policy(player)
    if policy is not None:
        check_challenge(
            player,
            policy,
            _challenge(row, player),
            matches=_count_live_seats(player, (*_SEATED, SeatState.INVITED)),
        )
    row = change_seat(row, EventType.INVITED, seat_offered_to(seat, player))
    if policy is None or not policy.auto_accept:
        return row
    check_seat_limit(player)
    return change_seat(row, EventType.JOINED, seat_taken_by(row.seats[seat.number], player, ""))


def _challenge(row: MatchRow, invited: Player) -> Challenge:
    """Describe an invitation to a match, with the kinds of its maker and of the other players."""
    maker_kind = Player.objects.values_list("kind", flat=True).get(pk=row.maker_id)
    others = {seat.kind for seat in row.seats if seat.kind is not None and seat.player_id != invited.pk}
    return Challenge(
        ruleset=row.ruleset,
        players=row.players,
        turn_seconds=row.turn_seconds,
        rated=row.rated,
        kinds={maker_kind, *others},
    )


def _check_limit(count: int, limit: int, template: str) -> None:
    if count >= limit:
        raise Problem(
            "limit_reached",
            message(template, count=count, limit=limit),
            largest=limit,
        )


def change_seat(
    row: MatchRow, event: EventType, seat: SeatRow, details: EntryFields | None = None
) -> MatchRow:
    """Commit that a seat becomes `seat`, and return the match after the event.

    The log is never changed, so it does not name players, whose accounts can be deleted. The table names
    them.
    """
    after = row.with_seat(_with_lifecycle(seat, row.now))
    fields: EntryFields = {"level": seat.level or None, "client_seed": seat.client_seed, **(details or {})}
    entry = build_entry(row, event, by=Actor.PLAYER, seat=seat.number, fields=fields)
    open_seats = sum(each.state == SeatState.OPEN for each in after.seats)
    return commit_or_conflict(Event(row, after._replace(open_seats=open_seats, **after_event(row)), entry))


def start_when_filled(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Start the match if every seat is filled, unless its maker starts it (`hold`)."""
    if row.hold or not is_filled(row):
        return row
    return start(row, by_seat=by_seat)


def is_filled(row: MatchRow) -> bool:
    """Return whether every seat is filled."""
    return all(seat.is_filled for seat in row.seats)


def start(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Start the match and deal its first round."""
    return commit_or_conflict(start_event(row, row.deals(), by_seat=by_seat))


def start_event(row: MatchRow, deals: Deals, *, by_seat: int | None) -> Event:
    """Return the event that starts a match whose seats are filled."""
    table = Table.start(row.agreement, deals)
    filled = _with_full_banks(row)
    timing = next_timing(filled, table, event=EventType.STARTED)
    entry = build_entry(
        row._replace(round_number=table.round_number),
        EventType.STARTED,
        by=Actor.PLAYER,
        seat=by_seat,
        events=[deal_event(table.round_number, table.dealer, table.leader)],
        table=table,
        deadline=timing.deadline,
    )
    after = filled._replace(
        **after_event(row),
        **table_changes(table),
        **timing._asdict(),
        **round_changes(row, table),
        status=MatchStatus.ACTIVE,
        started_at=row.now,
        expires_at=None,
    )
    return Event(row, after, entry, (round_begun(table),))


def _with_full_banks(row: MatchRow) -> MatchRow:
    bank = 0 if row.turn_seconds is None else row.time_bank_seconds
    return row._replace(seats=tuple(seat._replace(time_bank_left=bank) for seat in row.seats))


def start_match(*, match_id: str, player: Player, client_seed: str | None = None) -> TableDocument:
    """Start a match whose seats are all filled, at the request of its maker."""
    seed = None if client_seed is None else validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        require_maker(row, player)
        require_open(row)
        if not is_filled(row):
            raise Problem("seats_not_filled")
        if seed is not None:
            row = _set_seed(row, player, seed)
        seat = row.seat_of(player)
        publish(start(row, by_seat=None if seat is None else seat.number))
    return render_table(read_match(match_id, player), player)


def _set_seed(row: MatchRow, player: Player, seed: str) -> MatchRow:
    """Set the maker's seed, which can be done once and is public before the first deal."""
    seat = row.seat_of(player)
    if seat is None:
        raise invalid_field(
            "/client_seed", "not_seated", message("You have no seat, so you cannot give a seed.")
        )
    if seat.client_seed == seed:
        return row
    if seat.client_seed:
        raise invalid_field(
            "/client_seed", "given_before", message("You have already given a different seed.")
        )
    return change_seat(row, EventType.SEAT_CHANGED, seat_taken_by(seat, player, seed))
