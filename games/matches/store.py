"""Read matches with their seats, and lock them, with literal SQL that returns named tuples.

Every action begins with such a read. With the token it takes 230,000 instructions; compiled querysets took
344,000. PostgreSQL and SQLite have a query each; tests compare the results with those of the models.
"""

# ruff: noqa: S608 -- only literal SQL is concatenated; values are parameters

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import DateTimeField
from psycopg import Error as DriverError
from psycopg.pq import ExecStatus

from games.core import compact_json
from games.core.errors import Problem
from games.core.secrets import Secret
from games.gateway.agreement import Agreement, Deal, Deals
from games.gateway.documents import ResultDocument
from games.gateway.table import Table
from games.identity.models import ApiToken, Player, TokenRow
from games.matches.documents import RatingResult
from games.matches.models.log import SeedChain
from games.matches.models.match import UNFILLED_STATES, Match, SeatState, Visibility

if TYPE_CHECKING:
    from psycopg import Connection

Text = str | bytes

_PARAMETER: Final = re.compile(r"%\((\w+)\)s")


class SeatRow(NamedTuple):
    """A seat with columns of its player. `standing_trick` must be shown to that player only."""

    number: int
    state: str
    player_id: int | None
    username: str | None
    kind: str | None
    level: str
    client_seed: str
    time_bank_left: int
    timeouts: int
    standing_trick: str
    asks: str
    vacation_until: datetime | None
    live: bool = True
    joined_at: datetime | None = None
    imported_name: str = ""
    # Notification preferences as JSON text; `None` for an inactive account.
    preferences: str | None = None
    has_confirmed_email: bool | None = None
    time_zone: str | None = None

    @property
    def is_automatic(self) -> bool:
        """Whether an AI acts for the seat: an AI seat, or one with a caretaker or a resigned player."""
        return bool(self.level) or self.state in {SeatState.CARETAKER, SeatState.RESIGNED}

    @property
    def is_filled(self) -> bool:
        """Whether the seat is taken, as needed for the start of the match."""
        return self.state not in UNFILLED_STATES


class MatchRow(NamedTuple):
    """A match with the name of its maker, its snapshot, its seats in order, and the time of the database.

    It is immutable: an event has the row before it and the row after it, made with `_replace`.
    """

    id: str
    maker_id: int
    ruleset: str
    ruleset_version: str
    engine_version: str
    options: dict[str, str]
    players: int
    target_score: int | None
    rounds_limit: int | None
    turn_seconds: int | None
    time_bank_seconds: int
    on_timeout: str
    timeouts_allowed: int
    after_timeouts: str
    vacations: bool
    pauses: bool
    visibility: str
    rated: bool
    hints: bool
    hold: bool
    anchor: str
    status: str
    version: int
    open_seats: int
    round_number: int | None
    round_first_version: int | None
    to_act: int | None
    expects: str
    deadline: datetime | None
    remind_at: datetime | None
    paused_at: datetime | None
    paused_until: datetime | None
    paused_seconds: int
    turn_left_ms: int | None
    wake_at: datetime | None
    attempts: int
    turn_due_at: datetime | None
    turn_priority: int
    totals: list[int]
    result: ResultDocument | None
    next_match_id: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None
    imported_at: datetime | None
    rating_result: RatingResult | None
    maker: str
    snapshot_version: int
    snapshot: Secret[str]
    now: datetime
    seats: tuple[SeatRow, ...]

    def seat_of(self, player: Player | None) -> SeatRow | None:
        """Return the seat of this player, except one that is only offered or has resigned."""
        seat = self.seat_held_by(player)
        return seat if seat is not None and seat.is_filled and seat.state != SeatState.RESIGNED else None

    def seat_held_by(self, player: Player | None) -> SeatRow | None:
        """Return the seat of this player, including one that is offered, declined or resigned."""
        if player is None:
            return None
        player_id = player.pk
        for seat in self.seats:
            if seat.player_id == player_id:
                return seat
        return None

    def with_seat(self, seat: SeatRow) -> "MatchRow":
        """Return the match with one seat replaced."""
        seats = [seat if each.number == seat.number else each for each in self.seats]
        return self._replace(seats=tuple(seats))

    @property
    def agreement(self) -> Agreement:
        """The rule set, options and length of the match."""
        return Agreement(
            ruleset=self.ruleset,
            ruleset_version=self.ruleset_version,
            options=tuple(self.options.items()),
            players=self.players,
            target_score=self.target_score,
            rounds_limit=self.rounds_limit,
        )

    @property
    def public_names(self) -> tuple[object, ...]:
        """The public data of the players, which may change without a log entry; used for ETags."""
        return self.maker, *((seat.username, seat.kind, seat.vacation_until) for seat in self.seats)

    @property
    def seeds(self) -> tuple[str, ...]:
        """The client seed of each seat."""
        return tuple(seat.client_seed for seat in self.seats)

    def table(self) -> Table:
        """Return the table from the snapshot. It contains every hand: show clients only views of it."""
        return Table.load(self.agreement, compact_json.load_json(self.snapshot.reveal()))

    def deals(self) -> Deals:
        """Read the seed chain of the match, which is needed only at the start and end of a round."""
        chain = SeedChain.objects.get(match_id=self.id)
        return Deals(self.id, chain.last_link.reveal(), self.seeds)

    def deal_round(self, number: int) -> Deal:
        """Return the deal of a round. The engine calls this when it deals."""
        return self.deals().deal_function()(number)


_TIMES: Final = tuple(
    MatchRow._fields.index(name)
    for name in (
        *("deadline", "remind_at", "paused_at", "paused_until", "wake_at", "turn_due_at", "created_at"),
        *("started_at", "finished_at", "expires_at", "imported_at", "now"),
    )
)
_SNAPSHOT, _SEATS = (MatchRow._fields.index(name) for name in ("snapshot", "seats"))
_SEAT_TIMES: Final = tuple(SeatRow._fields.index(name) for name in ("vacation_until", "joined_at"))

# A match is read as one JSON value that includes its seats: it takes half the CPU time of 50 columns.
_MATCH: Final = {
    "postgresql": """
        SELECT json_build_array(
            m.id, m.maker_id, m.ruleset, m.ruleset_version, m.engine_version, m.options, m.players,
            m.target_score, m.rounds_limit, m.turn_seconds, m.time_bank_seconds, m.on_timeout,
            m.timeouts_allowed, m.after_timeouts, m.vacations, m.pauses, m.visibility, m.rated, m.hints,
            m.hold, m.anchor, m.status, m.version, m.open_seats, m.round_number, m.round_first_version,
            m.to_act, m.expects, m.deadline, m.remind_at, m.paused_at, m.paused_until, m.paused_seconds,
            m.turn_left_ms, m.wake_at, m.attempts, m.turn_due_at, m.turn_priority, m.totals, m.result,
            m.next_match_id, m.created_at, m.started_at, m.finished_at, m.expires_at, m.imported_at,
            m.rating_result, maker.username, snapshot.version, snapshot.state, statement_timestamp(),
            (
                SELECT json_agg(json_build_array(
                    seat.number, seat.state, seat.player_id, player.username, player.kind, seat.level,
                    seat.client_seed, seat.time_bank_left, seat.timeouts, seat.standing_trick, seat.asks,
                    player.vacation_until, seat.live, seat.joined_at, seat.imported_name,
                    CASE WHEN player.is_active THEN player.notifications::text END,
                    player.email_confirmed, player.time_zone
                ) ORDER BY seat.number)
                FROM games_seat seat LEFT JOIN games_player player ON player.id = seat.player_id
                WHERE seat.match_id = m.id
            )
        ) AS match
        FROM games_match m JOIN games_player maker ON maker.id = m.maker_id
        LEFT JOIN games_snapshot snapshot ON snapshot.match_id = m.id
    """,
    # SQLite has no types for booleans and JSON, and supports ORDER BY in aggregates only since version 3.44.
    "sqlite": """
        SELECT json_array(
            m.id, m.maker_id, m.ruleset, m.ruleset_version, m.engine_version, json(m.options), m.players,
            m.target_score, m.rounds_limit, m.turn_seconds, m.time_bank_seconds, m.on_timeout,
            m.timeouts_allowed, m.after_timeouts, json(iif(m.vacations, 'true', 'false')),
            json(iif(m.pauses, 'true', 'false')), m.visibility, json(iif(m.rated, 'true', 'false')),
            json(iif(m.hints, 'true', 'false')), json(iif(m.hold, 'true', 'false')),
            m.anchor, m.status, m.version, m.open_seats, m.round_number, m.round_first_version,
            m.to_act, m.expects, m.deadline, m.remind_at, m.paused_at, m.paused_until, m.paused_seconds,
            m.turn_left_ms, m.wake_at, m.attempts, m.turn_due_at, m.turn_priority, json(m.totals),
            json(m.result), m.next_match_id, m.created_at, m.started_at, m.finished_at, m.expires_at,
            m.imported_at, json(m.rating_result), maker.username, snapshot.version, snapshot.state,
            strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now'),
            (
                SELECT json_group_array(json(ordered.seat)) FROM (
                    SELECT json_array(
                        seat.number, seat.state, seat.player_id, player.username, player.kind, seat.level,
                        seat.client_seed, seat.time_bank_left, seat.timeouts, seat.standing_trick, seat.asks,
                        player.vacation_until, json(iif(seat.live, 'true', 'false')), seat.joined_at,
                        seat.imported_name, CASE WHEN player.is_active THEN player.notifications END,
                        player.email_confirmed, player.time_zone
                    ) AS seat
                    FROM games_seat seat LEFT JOIN games_player player ON player.id = seat.player_id
                    WHERE seat.match_id = m.id ORDER BY seat.number
                ) ordered
            )
        ) AS match
        FROM games_match m JOIN games_player maker ON maker.id = m.maker_id
        LEFT JOIN games_snapshot snapshot ON snapshot.match_id = m.id
    """,
}
_BY_ID: Final = {vendor: f"{sql} WHERE m.id = %(match_id)s" for vendor, sql in _MATCH.items()}
_ONE: Final = {
    "postgresql": f"SELECT match::text FROM ({_BY_ID['postgresql']}) AS found",
    "sqlite": _BY_ID["sqlite"],
}
# An array makes PostgreSQL look the ids up in the index; for `IN (SELECT ...)` it reads the whole table.
_SEVERAL: Final = {
    "postgresql": f"""
        SELECT match::text FROM (
            {_MATCH["postgresql"]}
            WHERE m.id = ANY (ARRAY(SELECT jsonb_array_elements_text(%(match_ids)s)))
        ) AS found
    """,
    "sqlite": f"{_MATCH['sqlite']} WHERE m.id IN (SELECT value FROM json_each(%(match_ids)s))",
}
_PLAYER_COLUMNS: Final = tuple(
    field.attname
    for field in Player._meta.concrete_fields  # noqa: SLF001 -- Model._meta is a documented API
)
_PLAYER_TIMES: Final = frozenset(
    field.attname
    for field in Player._meta.concrete_fields  # noqa: SLF001 -- as above
    if isinstance(field, DateTimeField)
)
_WITHOUT_MATCH: Final = """
    SELECT json_build_array(
        token.scopes, token.expiry, extract(epoch FROM token.sliding), token.authorization_id,
        to_json(player), NULL
    )::text
    FROM games_apitoken token JOIN games_player player ON player.id = token.user_id
    WHERE token.digest = %(digest)s
"""
_WITH_MATCH: Final = f"""
    SELECT json_build_array(
        token.scopes, token.expiry, extract(epoch FROM token.sliding), token.authorization_id,
        json_build_object(
            'id', player.id, 'is_active', player.is_active, 'username', player.username, 'kind', player.kind,
            'owner_id', player.owner_id, 'suspended_until', player.suspended_until
        ),
        found.match
    )::text
    FROM games_apitoken token JOIN games_player player ON player.id = token.user_id
    LEFT JOIN ({_BY_ID["postgresql"]}) AS found ON TRUE
    WHERE token.digest = %(digest)s
"""


def find_match(match_id: str) -> MatchRow | None:
    """Read a match in one query, without a permission check."""
    found = fetch(_ONE[connection.vendor], {"match_id": match_id})
    return _match_of(compact_json.load_json(found[0])) if found else None


def find_matches(match_ids: Sequence[str]) -> list[MatchRow]:
    """Read several matches in one query, in no particular order and without a permission check."""
    if not match_ids:
        return []
    ids = compact_json.dump_json(list(match_ids)).decode()
    return [
        _match_of(compact_json.load_json(text))
        for text in fetch(_SEVERAL[connection.vendor], {"match_ids": ids})
    ]


def read_match(match_id: str, player: Player | None) -> MatchRow:
    """Read a match in one query; raise 404 if it does not exist or this player may not see it."""
    return require_visible(find_match(match_id), player)


def require_visible(row: MatchRow | None, player: Player | None) -> MatchRow:
    """Return the match if it exists and this player may see it; raise 404 otherwise."""
    if row is None or not can_see(row, player):
        raise Problem("not_found")
    return row


def can_see(row: MatchRow, player: Player | None) -> bool:
    """Return whether this player, or an anonymous viewer, may see the match."""
    if row.visibility != Visibility.PRIVATE or row.seat_held_by(player) is not None:
        return True
    return player is not None and player.pk == row.maker_id


def require_seat(row: MatchRow, player: Player | None) -> SeatRow:
    """Return the seat of the player; raise 403 if the player has none."""
    seat = row.seat_of(player)
    if seat is None:
        raise Problem("not_seated")
    return seat


def require_no_caretaker(seat: SeatRow) -> None:
    """Raise `caretaker_playing` if a caretaker plays for the player of this seat."""
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")


def find_token(digest: str) -> TokenRow | None:
    """Read the token with this digest and its player in one query."""
    if connection.vendor == "postgresql":
        return _token_and_match(digest, fetch(_WITHOUT_MATCH, {"digest": digest}))[0]
    token = ApiToken.objects.select_related("user").filter(digest=digest).first()
    return None if token is None else token.row()


def find_token_and_match(digest: str, match_id: str) -> tuple[TokenRow | None, MatchRow | None]:
    """Read a token with its player and, if the token exists, a match; PostgreSQL needs one round trip.

    The player has only the columns that requests for a match need; Django loads the others on access.
    """
    if connection.vendor == "postgresql":
        return _token_and_match(digest, fetch(_WITH_MATCH, {"digest": digest, "match_id": match_id}))
    token = find_token(digest)
    return token, None if token is None else find_match(match_id)


def _token_and_match(digest: str, found: list[Text]) -> tuple[TokenRow | None, MatchRow | None]:
    if not found:
        return None, None
    scopes, expiry, sliding, authorization_id, player, match = compact_json.load_json(found[0])
    token = TokenRow(
        digest=digest,
        scopes=scopes,
        expiry=None if expiry is None else _time(expiry),
        sliding=None if sliding is None else timedelta(seconds=sliding),
        player=_player_of(player),
        authorization_id=authorization_id,
    )
    return token, None if match is None else _match_of(match)


def _player_of(columns: dict[str, Any]) -> Player:
    """Build the model with `Model.from_db`, which defers the columns that are missing."""
    for name in _PLAYER_TIMES & columns.keys():
        if columns[name] is not None:
            columns[name] = _time(columns[name])
    names = [name for name in _PLAYER_COLUMNS if name in columns]
    return Player.from_db(DEFAULT_DB_ALIAS, names, [columns[name] for name in names])


def _time(text: str) -> datetime:
    """Parse a time, which SQLite stores in UTC without an offset."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _match_of(columns: list[Any]) -> MatchRow:
    for index in _TIMES:
        if columns[index] is not None:
            columns[index] = _time(columns[index])
    columns[_SNAPSHOT] = Secret(columns[_SNAPSHOT])
    columns[_SEATS] = tuple(map(_seat_of, columns[_SEATS] or ()))
    return MatchRow._make(columns)


def _seat_of(columns: list[Any]) -> SeatRow:
    for index in _SEAT_TIMES:
        if columns[index] is not None:
            columns[index] = _time(columns[index])
    return SeatRow._make(columns)


def driver_of(wrapper: Any) -> "Connection[Any] | None":  # noqa: ANN401 -- a database wrapper of Django
    """Return the psycopg connection for statements that bypass Django's cursor, or `None`.

    A connection that fails its health check is replaced, as Django does before a statement. `None` means that
    Django's cursor is required: with SQLite; inside a transaction, which Django may have marked as broken;
    without prepared statements, as behind PgBouncer; and while queries are logged or execute wrappers are
    installed.
    """
    if wrapper.vendor != "postgresql" or wrapper.execute_wrappers or wrapper.queries_logged:
        return None
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    driver: Connection[Any] = wrapper.connection
    return driver if driver.autocommit and driver.prepare_threshold is not None else None


def fetch(sql: str, parameters: Mapping[str, str | None]) -> list[Text]:
    """Execute literal SQL with `%(name)s` parameters and return the only column of each row as text.

    Parameters and rows are text, so a prepared statement is executed with a single call of libpq
    (`psycopg.pq`) and without adaptation of types. In a move this takes 35 µs of CPU less than a reused
    `RawCursor`. A failed statement is executed again with Django's cursor, which raises Django's exceptions
    and handles statements that psycopg has deallocated, for instance after a rollback.
    """
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    driver = driver_of(wrapper)
    found = None if driver is None else _execute_prepared(driver, wrapper.prepared, sql, parameters)
    if found is None:
        with wrapper.cursor() as cursor:
            cursor.execute(sql, parameters)
            found = [text for (text,) in cursor.fetchall()]
    return found


def _execute_prepared(
    driver: "Connection[Any]", prepared: dict[str, bytes], sql: str, parameters: Mapping[str, str | None]
) -> list[Text] | None:
    """Execute a prepared statement; return `None` if it fails."""
    text, names = numbered(sql)
    values = [None if (value := parameters[name]) is None else value.encode() for name in names]
    try:
        name = prepared.get(sql)
        if name is None:
            name = prepared[sql] = b"haggis_%d" % len(prepared)
            driver.pgconn.prepare(name, text)
        result = driver.pgconn.exec_prepared(name, values)  # type: ignore[arg-type]  # accepts None for NULL
    except DriverError:
        return None
    if result.status != ExecStatus.TUPLES_OK:
        prepared.clear()
        return None
    return [result.get_value(row, 0) or b"" for row in range(result.ntuples)]


@cache
def numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """Convert `%(name)s` parameters to `$1`, `$2` ...; return the SQL and the names in that order.

    >>> numbered("SELECT %(one)s, %(two)s, %(one)s, 7 %% 4")
    (b'SELECT $1, $2, $1, 7 % 4', ('one', 'two'))
    """
    names = tuple(dict.fromkeys(_PARAMETER.findall(sql)))
    text = _PARAMETER.sub(lambda found: f"${names.index(found[1]) + 1}", sql)
    return text.replace("%%", "%").encode(), names


def lock_match(match_id: str) -> None:
    """Lock a match until the end of the transaction (`SELECT FOR NO KEY UPDATE`).

    Rows that refer to the match can still be inserted. SQLite has one writer at a time and no row locks.
    Actions need no lock, because they are written only if the version is unchanged (optimistic locking).
    """
    list(Match.objects.select_for_update(no_key=True).filter(pk=match_id).values_list("pk"))


def lock_and_read_match(*, match_id: str, player: Player | None) -> MatchRow:
    """Lock a match for the rest of the transaction and read it; raise 404 if the player may not see it.

    The match is read after the lock is acquired, so the row stays current until the commit.
    """
    lock_match(match_id)
    return read_match(match_id, player)
