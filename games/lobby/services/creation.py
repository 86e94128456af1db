"""Create matches and fill their seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, NotRequired, TypedDict

from django.db import transaction
from django.utils import timezone

from games.core.errors import FieldError, Problem, invalid_field
from games.core.languages import message
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
from games.identity.models import Player
from games.identity.services import lock_players, require_active, seatable
from games.lobby.queries import players_named
from games.lobby.services.seats import (
    change_seat,
    check_ai_match_limit,
    check_created_match_limits,
    check_seat_limit,
    check_waiting_limit,
    invite,
    is_between_ais,
    is_filled,
    open_seat,
    require_maker,
    require_open,
    seat_for_ai,
    seat_taken_by,
    start_when_filled,
)
from games.matches.documents import TableDocument
from games.matches.models.log import EventType, SeedChain, Snapshot
from games.matches.models.match import Match, Seat, SeatState, Visibility, new_match_id
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match
from games.ratings.eligibility import CODE as RATING_NOT_POSSIBLE
from games.ratings.eligibility import (
    ai_error,
    player_error,
    require_ratable_ai,
    require_ratable_player,
    setting_errors,
)


class SeatBody(TypedDict):
    """A seat in a request: the maker's (`me`), a player's, an AI's or an open one."""

    kind: str
    username: NotRequired[str]
    level: NotRequired[str]


class RefillBody(SeatBody):
    """A request to fill a seat again."""

    client_seed: NotRequired[str]


class MatchBody(TypedDict):
    """A request to create a match; what is left out has its default."""

    ruleset: str
    options: NotRequired[dict[str, str]]
    players: NotRequired[int]
    target_score: NotRequired[int | None]
    rounds: NotRequired[int | None]
    seats: NotRequired[list[SeatBody]]
    client_seed: NotRequired[str]
    turn_seconds: NotRequired[int | None]
    time_bank_seconds: NotRequired[int]
    on_timeout: NotRequired[str]
    timeouts_allowed: NotRequired[int]
    after_timeouts: NotRequired[str]
    vacations: NotRequired[bool]
    pauses: NotRequired[bool]
    visibility: NotRequired[str]
    rated: NotRequired[bool]
    hints: NotRequired[bool]
    hold: NotRequired[bool]


ME, OPEN, PLAYER, AI = "me", "open", "player", "ai"
KINDS = (ME, OPEN, PLAYER, AI)


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """The requested occupant of one seat: a player, an AI level, or neither for an open seat.

    `pointer` is the JSON pointer of the seat in the request, `username` the name by which it names a player.
    """

    kind: str
    player: Player | None = None
    level: str = ""
    pointer: str = ""
    username: str = ""


def default_seats(players: int) -> list[SeatBody]:
    """Return the seats of a match that is created without any: the maker's and open ones."""
    mine, others = SeatBody(kind=ME), SeatBody(kind=OPEN)
    return [mine] + [others] * (players - 1)


def parse_seat_requests(
    bodies: Sequence[SeatBody], *, match: Match | MatchRow, maker: Player, pointers: Sequence[str]
) -> list[SeatRequest]:
    """Parse the requested seats, or raise all their errors at once.

    `pointers` holds the JSON pointer of each seat in the request.
    """
    names = [body["username"] for body in bodies if body["kind"] == PLAYER]
    found = players_named(names) if names else {}
    requests = [
        _parse_seat_request(body, maker, found, pointer)
        for body, pointer in zip(bodies, pointers, strict=True)
    ]
    errors = [
        error
        for number, (seat, pointer) in enumerate(zip(requests, pointers, strict=True))
        if (error := _seat_error(seat, pointer, match) or _repetition_error(seat, requests[:number], pointer))
        is not None
    ]
    if errors:
        raise Problem("validation_error", errors=tuple(errors))
    return requests


def _parse_seat_request(
    body: SeatBody, maker: Player, found: Mapping[str, Player], pointer: str
) -> SeatRequest:
    match body["kind"]:
        case "me":
            return SeatRequest(ME, player=maker, pointer=pointer)
        case "player":
            name = body["username"]
            return SeatRequest(PLAYER, player=found.get(name.lower()), pointer=pointer, username=name)
        case "ai":
            return SeatRequest(AI, level=body["level"], pointer=pointer)
        case _:
            return SeatRequest(OPEN, pointer=pointer)


def _seat_error(seat: SeatRequest, pointer: str, match: Match | MatchRow) -> FieldError | None:
    """Return the error of one seat on its own, or `None`."""
    if seat.kind == OPEN and match.visibility == Visibility.PRIVATE:
        return FieldError(
            f"{pointer}/kind", "open_in_private", message("A private match cannot have open seats.")
        )
    if seat.kind == AI and seat.level not in LEVEL_NAMES:
        return FieldError(
            f"{pointer}/level",
            "unknown_value",
            message("The level must be one of {levels}.", levels=", ".join(LEVEL_NAMES)),
        )
    if seat.kind == PLAYER and seat.player is None:
        return _unknown_player(seat)
    return None


def _require_ratable(match: Match, requests: Sequence[SeatRequest]) -> None:
    """Refuse a rated match with settings or players that do not allow it."""
    errors = setting_errors(match)
    players: list[Player] = []
    for seat in requests:
        if seat.kind == AI:
            errors.append(FieldError(f"{seat.pointer}/kind", RATING_NOT_POSSIBLE, ai_error()))
        elif seat.player is not None:
            error = player_error(seat.player, players)
            if error is not None:
                member = "kind" if seat.kind == ME else "username"
                errors.append(FieldError(f"{seat.pointer}/{member}", RATING_NOT_POSSIBLE, error))
            players.append(seat.player)
    if errors:
        raise Problem("validation_error", errors=tuple(errors))


def _repetition_error(seat: SeatRequest, earlier: Sequence[SeatRequest], pointer: str) -> FieldError | None:
    """Return the error of a player who has an earlier seat of the same match, or `None`."""
    if seat.player is None or all(each.player != seat.player for each in earlier):
        return None
    member = "kind" if seat.kind == ME else "username"
    return FieldError(f"{pointer}/{member}", "repeated", message("This player already has another seat."))


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


def create_match(*, maker: Player, body: MatchBody) -> TableDocument:
    """Create a match. It starts at once if all its seats are filled."""
    seed = validate_client_seed(body.get("client_seed", ""))
    match = _build_match(maker, body)
    requests = _seat_requests(match, maker, body, seed)
    if match.rated:
        _require_ratable(match, requests)
    with transaction.atomic():
        maker = lock_maker_and_invited(maker, requests)
        waits = any(seat.kind not in {ME, AI} for seat in requests)
        check_created_match_limits(maker, match, waits=waits)
        if all(seat.kind == AI for seat in requests):
            check_ai_match_limit(maker)
        row = insert_match(match, maker)
        row = fill_seats(row, requests, client_seed=seed)
        row = start_when_filled(row, by_seat=None)
        publish(row)
    return render_table(read_match(match.pk, maker), maker)


def _build_match(maker: Player, body: MatchBody) -> Match:
    """Return the requested match, not yet saved."""
    agreement = make_agreement(
        ruleset=body["ruleset"],
        players=_number_of_players(body),
        options=body.get("options", {}),
        target_score=body.get("target_score"),
        rounds=body.get("rounds"),
    )
    given = {name: value for name, value in body.items() if name in MATCH_SETTINGS}
    return match_from_agreement(maker, agreement, **{"turn_seconds": DEFAULT_TURN_SECONDS, **given})


def _number_of_players(body: MatchBody) -> int | None:
    """Return the requested number of players, else the number of seats; `None` leaves it to the rule set."""
    ruleset, seats = body["ruleset"], body.get("seats")
    if "players" in body or seats is None:
        return body.get("players")
    if ruleset in rule_set_keys() and len(seats) not in allowed_players(ruleset):
        raise invalid_field(
            "/seats",
            "invalid_players",
            message("{ruleset} cannot be played by {players} players.", ruleset=ruleset, players=len(seats)),
        )
    return len(seats)


def match_from_agreement(maker: Player, agreement: Agreement, **settings: Any) -> Match:  # noqa: ANN401 -- of many types
    """Return a match with these rules, not yet saved."""
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


def _seat_requests(match: Match, maker: Player, body: MatchBody, seed: str) -> list[SeatRequest]:
    bodies = body.get("seats")
    if bodies is None and match.visibility == Visibility.PRIVATE:
        raise invalid_field(
            "/seats", "open_in_private", message("A private match cannot have open seats: name its players.")
        )
    if bodies is None:
        bodies = default_seats(match.players)
    if len(bodies) != match.players:
        raise invalid_field(
            "/seats",
            "too_long",
            message("A match for {players} players needs {players} seats.", players=match.players),
        )
    pointers = [f"/seats/{number}" for number in range(len(bodies))]
    requests = parse_seat_requests(bodies, match=match, maker=maker, pointers=pointers)
    if seed and not any(seat.kind == ME for seat in requests):
        raise invalid_field(
            "/client_seed", "not_seated", message("You take no seat, so you cannot give a seed.")
        )
    return requests


def lock_maker_and_invited(maker: Player, requests: Sequence[SeatRequest]) -> Player:
    """Lock the maker and the invited players, and return the maker; refuse closed and suspended accounts."""
    player_ids = {seat.player.pk for seat in requests if seat.player is not None}
    locked = lock_players({maker.pk, *player_ids})
    maker, locked = require_active(locked, maker), seatable(locked)
    if not player_ids <= locked.keys():
        raise Problem("validation_error", errors=_unknown_players(requests, locked))
    return maker


def _unknown_players(requests: Sequence[SeatRequest], locked: Mapping[int, Player]) -> tuple[FieldError, ...]:
    """Return the errors of seats for players who are not active any more."""
    return tuple(
        _unknown_player(seat) for seat in requests if seat.player is not None and seat.player.pk not in locked
    )


def _unknown_player(seat: SeatRequest) -> FieldError:
    detail = message("There is no player called {name}.", name=seat.username)
    return FieldError(f"{seat.pointer}/username", "unknown_player", detail)


def insert_match(match: Match, maker: Player) -> MatchRow:
    """Save a match with all its seats open, and the seed chain for its deals."""
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


def fill_seats(row: MatchRow, requests: Sequence[SeatRequest], *, client_seed: str) -> MatchRow:
    """Fill the seats of a new match as requested, with one event for each."""
    for number, seat in enumerate(requests):
        row = fill_seat(row, number, seat, client_seed=client_seed)
    return row


def fill_seat(row: MatchRow, number: int, request: SeatRequest, *, client_seed: str = "") -> MatchRow:
    """Fill one seat as requested. An open seat stays as it is."""
    seat = row.seats[number]
    match request:
        case SeatRequest(kind=kind, player=Player() as player) if kind == ME:
            require_ratable_player(row, player)
            check_seat_limit(player)
            return change_seat(row, EventType.JOINED, seat_taken_by(seat, player, client_seed))
        case SeatRequest(kind=kind, player=Player() as player) if kind == PLAYER:
            return invite(row, seat, player)
        case SeatRequest(kind=kind, level=level) if kind == AI:
            require_ratable_ai(rated=row.rated)
            return change_seat(row, EventType.JOINED, seat_for_ai(seat, level))
        case _:
            return row


def refill_seat(*, match_id: str, player: Player, number: int, body: RefillBody) -> TableDocument:
    """Give an untaken seat to a player or an AI, or open it. Filling the last seat starts the match."""
    seed = validate_client_seed(body.get("client_seed", ""))
    with transaction.atomic():
        invited = players_named([body["username"]]).values() if body["kind"] == PLAYER else ()
        locked = lock_players([player.pk, *[each.pk for each in invited]])
        player = require_active(locked, player)
        if any(each.is_suspended for each in locked.values()):
            detail = message("There is no player called {name}.", name=body["username"])
            raise invalid_field("/username", "unknown_player", detail)
        row = lock_and_read_match(match_id=match_id, player=player)
        if number >= len(row.seats):
            raise Problem("not_found")
        require_maker(row, player)
        require_open(row)
        _require_untaken(row.seats[number])
        publish(_refill(row, player, number, body, seed))
    return render_table(read_match(match_id, player), player)


def _require_untaken(seat: SeatRow) -> None:
    if seat.state == SeatState.PLAYING and not seat.level:
        raise Problem("seat_taken")


def _refill(row: MatchRow, maker: Player, number: int, body: RefillBody, seed: str) -> MatchRow:
    (request,) = parse_seat_requests([body], match=row, maker=maker, pointers=[""])
    pointer = "/kind" if request.kind == ME else "/username"
    _require_no_other_seat(row, request.player, number, pointer)
    if is_filled(row) and request.kind not in {ME, AI}:
        check_waiting_limit(maker)
    if request.kind == OPEN:
        return change_seat(row, EventType.SEAT_CHANGED, open_seat(row.seats[number]))
    filled = fill_seat(row, number, request, client_seed=seed)
    if is_between_ais(filled) and not is_between_ais(row):
        check_ai_match_limit(maker)
    return start_when_filled(filled, by_seat=None)


def _require_no_other_seat(row: MatchRow, player: Player | None, number: int, pointer: str) -> None:
    seat = row.seat_held_by(player)
    if seat is not None and seat.number != number:
        raise invalid_field(
            pointer, "repeated", message("This player already has seat {number}.", number=seat.number)
        )
