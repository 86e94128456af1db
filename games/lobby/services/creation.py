"""Create a match, and fill its seats on request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.core.errors import FieldError, Problem, invalid_field
from games.core.secrets import Secret
from games.gateway.agreement import (
    ENGINE_VERSION,
    Agreement,
    allowed_players,
    create_chain,
    make_agreement,
    rule_set_keys,
    validate_client_seed,
)
from games.gateway.ai import LEVEL_NAMES
from games.identity.models import Player, PlayerKind
from games.lobby.queries import players_named
from games.lobby.services.seats import (
    change_seat,
    open_seat,
    refuse_too_many_made,
    refuse_too_many_seats,
    refuse_unless_maker,
    refuse_unless_open,
    refuse_unless_ratable,
    seat_for_ai,
    seat_offered_to,
    seat_taken_by,
    start_when_filled,
)
from games.matches.models.log import EventType, SeedChain, Snapshot
from games.matches.models.match import Match, Seat, SeatState, Visibility, new_match_id
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match

Form = dict[str, Any]

ME, OPEN, PLAYER, AI = "me", "open", "player", "ai"
KINDS = (ME, OPEN, PLAYER, AI)


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """One seat as it is asked for: who is to sit there, or which level of AI, or neither: whoever comes."""

    kind: str
    player: Player | None = None
    level: str = ""


def default_seats(players: int) -> list[dict[str, Any]]:
    """The seats of a match that says nothing of them: the maker, and whoever comes."""
    return [{"kind": ME}] + [{"kind": OPEN}] * (players - 1)


def parse_seat_requests(
    bodies: Sequence[Mapping[str, Any]], *, match: Match | MatchRow, maker: Player, at: Sequence[str]
) -> list[SeatRequest]:
    """What the seats are to be; refused with everything that is wrong with them. `at` points to each."""
    names = [body["username"] for body in bodies if body["kind"] == PLAYER]
    found = players_named(names) if names else {}
    wanted = [_seat_request(body, maker, found) for body in bodies]
    errors = [
        error
        for number, (seat, pointer) in enumerate(zip(wanted, at, strict=True))
        if (error := _seat_error(seat, pointer, match) or _repeated(seat, wanted[:number], pointer))
        is not None
    ]
    if errors:
        raise Problem("validation_error", errors=tuple(errors))
    return wanted


def _seat_request(body: Mapping[str, Any], maker: Player, found: Mapping[str, Player]) -> SeatRequest:
    match body["kind"]:
        case "me":
            return SeatRequest(ME, player=maker)
        case "player":
            return SeatRequest(PLAYER, player=found.get(body["username"].lower()))
        case "ai":
            return SeatRequest(AI, level=body["level"])
        case _:
            return SeatRequest(OPEN)


def _seat_error(seat: SeatRequest, pointer: str, match: Match | MatchRow) -> FieldError | None:
    """What is wrong with one seat in itself."""
    if seat.kind == OPEN and match.visibility == Visibility.PRIVATE:
        return FieldError(f"{pointer}/kind", "open_in_private", "A private match has no open seats.")
    if seat.kind == AI and seat.level not in LEVEL_NAMES:
        return FieldError(f"{pointer}/level", "unknown_value", f"A level is one of {', '.join(LEVEL_NAMES)}.")
    if seat.kind == PLAYER and seat.player is None:
        return FieldError(f"{pointer}/username", "unknown_player", "There is no player of this name.")
    return _unratable(seat, pointer) if match.rated else None


def _unratable(seat: SeatRequest, pointer: str) -> FieldError | None:
    """What cannot be in a rated match."""
    if seat.kind == AI:
        return FieldError(f"{pointer}/kind", "not_in_rated", "A rated match has no AI seats.")
    if seat.player is not None and seat.player.kind != PlayerKind.HUMAN:
        return FieldError(f"{pointer}/username", "not_in_rated", "Rated matches are for registered people.")
    return None


def _repeated(seat: SeatRequest, before: Sequence[SeatRequest], pointer: str) -> FieldError | None:
    """Nobody sits at one table twice."""
    if seat.player is None or all(each.player != seat.player for each in before):
        return None
    member = "kind" if seat.kind == ME else "username"
    return FieldError(f"{pointer}/{member}", "repeated", "This player has another seat already.")


Body = Mapping[str, Any]

OPEN_MATCH_LIFETIME: Final = timedelta(days=14)
DEFAULT_TURN_SECONDS: Final = 3 * 24 * 3600
# Settings that the request and the model call by the same name. A rematch copies every one of them.
MATCH_SETTINGS: Final = (
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
    seed = validate_client_seed(body.get("client_seed", ""))
    match = _build_match(maker, body)
    refuse_unless_ratable(maker, rated=match.rated)
    wanted = _seats_of(match, maker, body, seed)
    with transaction.atomic():
        refuse_too_many_made(maker)
        row = insert_match(match, maker)
        row = fill_seats(row, wanted, client_seed=seed)
        row = start_when_filled(row, by_seat=None)
        publish(row)
    return render_table(read_match(match.pk, maker), maker)


def _build_match(maker: Player, body: Body) -> Match:
    """The match as it is asked for, not stored yet."""
    agreement = make_agreement(
        ruleset=body["ruleset"],
        players=_number_of_players(body),
        options=body.get("options", {}),
        target_score=body.get("target_score"),
        rounds=body.get("rounds"),
    )
    asked = {name: body[name] for name in MATCH_SETTINGS if name in body}
    return match_from_agreement(maker, agreement, **{"turn_seconds": DEFAULT_TURN_SECONDS, **asked})


def _number_of_players(body: Body) -> int | None:
    """As many as are said, or else as there are seats; None leaves it to the rule set."""
    ruleset, seats = body["ruleset"], body.get("seats")
    if "players" in body or seats is None:
        return body.get("players")
    if ruleset in rule_set_keys() and len(seats) not in allowed_players(ruleset):
        raise invalid_field("/seats", "invalid_players", f"{ruleset} is not for {len(seats)} players.")
    return len(seats)


def match_from_agreement(maker: Player, agreement: Agreement, **settings: Any) -> Match:  # noqa: ANN401 -- of many types
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


def _seats_of(match: Match, maker: Player, body: Body, seed: str) -> list[SeatRequest]:
    bodies = body.get("seats")
    if bodies is None and match.visibility == Visibility.PRIVATE:
        raise invalid_field(
            "/seats", "open_in_private", "A private match has no open seats: name its players."
        )
    if bodies is None:
        bodies = default_seats(match.players)
    if len(bodies) != match.players:
        raise invalid_field("/seats", "too_long", f"A match for {match.players} has {match.players} seats.")
    at = [f"/seats/{number}" for number in range(len(bodies))]
    wanted = parse_seat_requests(bodies, match=match, maker=maker, at=at)
    if seed and not any(seat.kind == ME for seat in wanted):
        raise invalid_field(
            "/client_seed", "not_seated", "A seed belongs to a seat, and you do not take any."
        )
    return wanted


def insert_match(match: Match, maker: Player) -> MatchRow:
    """Store a match with all its seats open, and the chain that its deals will come from."""
    match.pk = new_match_id()
    match.engine_version = ENGINE_VERSION
    match.created_at = timezone.now()
    match.expires_at = match.created_at + OPEN_MATCH_LIFETIME
    match.open_seats = match.players
    last_link, match.anchor = create_chain(match.pk)
    match.save(force_insert=True)
    SeedChain.objects.create(match=match, last_link=Secret(last_link))
    Snapshot.objects.create(match=match, version=0, state=Secret({}))
    Seat.objects.bulk_create([Seat(match=match, number=number) for number in range(match.players)])
    return read_match(match.pk, maker)


def fill_seats(row: MatchRow, wanted: Sequence[SeatRequest], *, client_seed: str) -> MatchRow:
    """Fill the seats of a new match as asked, each as an event of its own."""
    for number, seat in enumerate(wanted):
        row = fill_seat(row, number, seat, client_seed=client_seed)
    return row


def fill_seat(row: MatchRow, number: int, wanted: SeatRequest, *, client_seed: str = "") -> MatchRow:
    """Fill one seat as asked; a seat for whoever comes stays as it is."""
    seat = row.seats[number]
    match wanted:
        case SeatRequest(kind=kind, player=Player() as player) if kind == ME:
            refuse_too_many_seats(player)
            return change_seat(row, EventType.JOINED, seat_taken_by(seat, player, client_seed))
        case SeatRequest(kind=kind, player=Player() as player) if kind == PLAYER:
            return change_seat(row, EventType.INVITED, seat_offered_to(seat, player))
        case SeatRequest(kind=kind, level=level) if kind == AI:
            return change_seat(row, EventType.JOINED, seat_for_ai(seat, level))
        case _:
            return row


def refill_seat(*, match_id: str, player: Player, number: int, body: Mapping[str, Any]) -> Form:
    """Give a seat to somebody else, to an AI, or to whoever comes. The last one starts the match."""
    seed = validate_client_seed(body.get("client_seed", ""))
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        if number >= len(row.seats):
            raise Problem("not_found")
        refuse_unless_maker(row, player)
        refuse_unless_open(row)
        _refuse_taken(row.seats[number])
        publish(_refill(row, player, number, body, seed))
    return render_table(read_match(match_id, player), player)


def _refuse_taken(seat: SeatRow) -> None:
    if seat.state == SeatState.PLAYING and not seat.level:
        raise Problem("seat_taken")


def _refill(row: MatchRow, maker: Player, number: int, body: Mapping[str, Any], seed: str) -> MatchRow:
    (wanted,) = parse_seat_requests([body], match=row, maker=maker, at=[""])
    pointer = "/kind" if wanted.kind == ME else "/username"
    _refuse_seated_elsewhere(row, wanted.player, number, pointer)
    if wanted.kind == OPEN:
        return change_seat(row, EventType.SEAT_CHANGED, open_seat(row.seats[number]))
    return start_when_filled(fill_seat(row, number, wanted, client_seed=seed), by_seat=None)


def _refuse_seated_elsewhere(row: MatchRow, player: Player | None, number: int, pointer: str) -> None:
    held = row.seat_held_by(player)
    if held is not None and held.number != number:
        raise invalid_field(pointer, "repeated", f"This player has seat {held.number}.")
