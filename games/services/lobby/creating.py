"""A new match: what is agreed, the chain that all its deals come from, and its seats."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.errors import invalid
from games.gateway.agreement import ENGINE_VERSION, Agreement, agree, players_of, rule_set_keys
from games.gateway.deals import checked_seed, new_chain
from games.matches.publish import publish
from games.matches.store import MatchRow, read_match
from games.models import EventType, Match, Player, Seat, Secret, SeedChain, Snapshot, Visibility, new_match_id
from games.selectors.table_form import table_form
from games.services.lobby.admission import (
    refuse_too_many_made,
    refuse_too_many_seats,
    refuse_unless_ratable,
)
from games.services.lobby.changing import change_seat, start_when_filled
from games.services.lobby.seats import given_to_ai, offered, taken
from games.services.lobby.wanted import AI, ME, PLAYER, Wanted, usual_seats, wanted_seats

Form = dict[str, Any]
Body = Mapping[str, Any]

OPEN_FOR: Final = timedelta(days=14)
USUAL_TURN_SECONDS: Final = 3 * 24 * 3600
# What is stored as it was asked for, by its name in the contract and in the model alike.
_AS_ASKED: Final = (
    "turn_seconds",
    "time_bank_seconds",
    "on_timeout",
    "timeouts_allowed",
    "after_timeouts",
    "vacations",
    "pauses",
    "visibility",
    "rated",
    "hints",
    "hold",
)


def create_match(*, maker: Player, body: Body) -> Form:
    """Make a match. It starts at once if that fills its last seat."""
    seed = checked_seed(body.get("client_seed", ""))
    match = _agreed(maker, body)
    refuse_unless_ratable(maker, rated=match.rated)
    wanted = _seats_of(match, maker, body, seed)
    with transaction.atomic():
        refuse_too_many_made(maker)
        row = set_up(match, maker)
        row = fill(row, wanted, client_seed=seed)
        row = start_when_filled(row, by_seat=None)
        publish(row)
    return table_form(read_match(match.pk, maker), maker)


def _agreed(maker: Player, body: Body) -> Match:
    """The match as it is asked for, not stored yet."""
    agreement = agree(
        ruleset=body["ruleset"],
        players=_number_of_players(body),
        options=body.get("options", {}),
        target_score=body.get("target_score"),
        rounds=body.get("rounds"),
    )
    asked = {name: body[name] for name in _AS_ASKED if name in body}
    return agreed_match(maker, agreement, **{"turn_seconds": USUAL_TURN_SECONDS, **asked})


def _number_of_players(body: Body) -> int | None:
    """As many as are said, or else as there are seats; None leaves it to the rule set."""
    ruleset, seats = body["ruleset"], body.get("seats")
    if "players" in body or seats is None:
        return body.get("players")
    if ruleset in rule_set_keys() and len(seats) not in players_of(ruleset):
        raise invalid("/seats", "invalid_players", f"{ruleset} is not for {len(seats)} players.")
    return len(seats)


def agreed_match(maker: Player, agreement: Agreement, **settings: Any) -> Match:  # noqa: ANN401 -- of many types
    """A match of that agreement, not stored yet."""
    return Match(
        maker=maker,
        ruleset=agreement.ruleset,
        ruleset_version=agreement.ruleset_version,
        options=dict(agreement.options),
        players=agreement.players,
        target_score=agreement.target_score,
        rounds_limit=agreement.rounds_limit,
        **settings,
    )


def _seats_of(match: Match, maker: Player, body: Body, seed: str) -> list[Wanted]:
    bodies = body.get("seats")
    if bodies is None and match.visibility == Visibility.PRIVATE:
        raise invalid("/seats", "open_in_private", "A private match has no open seats: name its players.")
    if bodies is None:
        bodies = usual_seats(match.players)
    if len(bodies) != match.players:
        raise invalid("/seats", "too_long", f"A match for {match.players} has {match.players} seats.")
    at = [f"/seats/{number}" for number in range(len(bodies))]
    wanted = wanted_seats(bodies, match=match, maker=maker, at=at)
    if seed and not any(seat.kind == ME for seat in wanted):
        raise invalid("/client_seed", "not_seated", "A seed belongs to a seat, and you do not take any.")
    return wanted


def set_up(match: Match, maker: Player) -> MatchRow:
    """Store a match with all its seats open, and the chain that its deals will come from."""
    match.pk = new_match_id()
    match.engine_version = ENGINE_VERSION
    match.created_at = timezone.now()
    match.expires_at = match.created_at + OPEN_FOR
    match.open_seats = match.players
    last_link, match.anchor = new_chain(match.pk)
    match.save(force_insert=True)
    SeedChain.objects.create(match=match, last_link=Secret(last_link))
    Snapshot.objects.create(match=match, version=0, state=Secret({}))
    Seat.objects.bulk_create([Seat(match=match, number=number) for number in range(match.players)])
    return read_match(match.pk, maker)


def fill(row: MatchRow, wanted: Sequence[Wanted], *, client_seed: str) -> MatchRow:
    """Fill the seats of a new match as asked, each as an event of its own."""
    for number, seat in enumerate(wanted):
        row = fill_seat(row, number, seat, client_seed=client_seed)
    return row


def fill_seat(row: MatchRow, number: int, wanted: Wanted, *, client_seed: str = "") -> MatchRow:
    """Fill one seat as asked; a seat for whoever comes stays as it is."""
    seat = row.seats[number]
    match wanted:
        case Wanted(kind=kind, player=Player() as player) if kind == ME:
            refuse_too_many_seats(player)
            return change_seat(row, EventType.JOINED, taken(seat, player, client_seed))
        case Wanted(kind=kind, player=Player() as player) if kind == PLAYER:
            return change_seat(row, EventType.INVITED, offered(seat, player))
        case Wanted(kind=kind, level=level) if kind == AI:
            return change_seat(row, EventType.JOINED, given_to_ai(seat, level))
        case _:
            return row
