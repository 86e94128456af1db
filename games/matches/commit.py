"""Write the events of matches, each atomically.

All parts depend on one update of the match, which compares the version that the event was validated against
and, for actions of players, the deadline. PostgreSQL executes all parts as one statement: one round trip and
one transaction. The statement is one of four fixed texts, prepared once for each connection, which takes
60 µs of CPU in Python; statements assembled from the changes of an event took 73. It uses `clock_timestamp()`
because `now()` is the time before a lock wait, which accepted a move half a second late. SQLite executes the
same parts one by one while it holds the write lock.
"""

# ruff: noqa: S608 -- only literal SQL is concatenated; values are parameters

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from games.core import compact_json
from games.core.secrets import Secret
from games.gateway.documents import DealDocument, LogEntry, SeatScoreJson
from games.matches.recipients import NoticeRow, notices_of, recipients
from games.matches.store import MatchRow, SeatRow, fetch
from games.matches.stored_answers import replace_names
from games.matches.turn_order import TURN_ORDER

# The parameters of one row, by column.
Columns = dict[str, Any]
# Formats a time for the database.
TimeFormat = Callable[[datetime], str]


class RoundBegun(NamedTuple):
    """A round that an event deals; the values of a new `Round` row."""

    number: int
    dealer: int | None
    leader: int
    deal: Secret[DealDocument]


class RoundEnded(NamedTuple):
    """A round that an event ends; `scores` is `None` if the round was abandoned."""

    number: int
    link: str
    out: list[int]
    scores: list[SeatScoreJson] | None
    totals: list[int]


class BetRow(NamedTuple):
    """A bet. The database accepts one for each seat and round."""

    round_number: int
    seat: int
    amount: int


class RequestKey(NamedTuple):
    """The request that an `Idempotency-Key` identifies, with the digest of its body."""

    player_id: int
    method: str
    path: str
    key: str
    body_hash: str


class Answer(NamedTuple):
    """The response to a request with an `Idempotency-Key`, stored together with its event."""

    request: RequestKey
    status: int
    body: Any


class Event(NamedTuple):
    """An event: the match before and after it, its log entry, and the rounds and bets it writes."""

    before: MatchRow
    after: MatchRow
    entry: LogEntry
    rounds: tuple[RoundBegun | RoundEnded, ...] = ()
    bets: tuple[BetRow, ...] = ()


# Stands for the expression of the place in the order of AI turns, which few events need.
_PLACE: Final = "<place>"
# Sets all columns that events change. `next_match` is set by a rematch, without an event.
_MATCH: Final = """
    UPDATE games_match SET
        version = %(version)s, status = %(status)s, open_seats = %(open_seats)s,
        round_number = %(round_number)s, round_first_version = %(round_first_version)s, to_act = %(to_act)s,
        expects = %(expects)s, deadline = %(deadline)s, remind_at = %(remind_at)s, paused_at = %(paused_at)s,
        paused_until = %(paused_until)s, paused_seconds = %(paused_seconds)s, turn_left_ms = %(turn_left_ms)s,
        wake_at = %(wake_at)s, attempts = %(attempts)s, turn_due_at = %(turn_due_at)s,
        turn_priority = %(turn_priority)s, turn_order = <place>, totals = %(totals)s, result = %(result)s,
        started_at = %(started_at)s, finished_at = %(finished_at)s, expires_at = %(expires_at)s
    WHERE id = %(match_id)s AND version = %(before)s
"""
# Standing orders are set without an event, so an event only writes those that it changes itself.
# The player ids are in a subquery so that PostgreSQL cannot see how many there are. Otherwise, with many
# webhooks stored, it plans the statement every time (230 µs) instead of using a generic plan.
_EVERY_EVENT: Final = f"""
    WITH changed AS (
        {_MATCH} AND (NOT %(in_time)s::boolean OR deadline IS NULL OR deadline > clock_timestamp())
        RETURNING id
    ), logged AS (
        INSERT INTO games_move (match_id, version, round_number, type, seat, by, at, entry)
        SELECT id, %(version)s, %(round)s, %(type)s, %(seat)s, %(by)s, %(at)s, %(entry)s FROM changed
    ), snapshot AS (
        UPDATE games_snapshot SET version = %(version)s, state = %(snapshot)s
        FROM changed WHERE match_id = changed.id
    ), seats AS (
        UPDATE games_seat AS seat SET
            state = new.state, player_id = new.player_id, level = new.level, client_seed = new.client_seed,
            time_bank_left = new.time_bank_left, timeouts = new.timeouts, asks = new.asks, live = new.live,
            joined_at = new.joined_at, standing_trick = coalesce(new.standing_trick, seat.standing_trick)
        FROM changed, jsonb_to_recordset(%(seats)s) AS new (
            number smallint, state varchar, player_id bigint, level varchar, client_seed varchar,
            time_bank_left integer, timeouts smallint, standing_trick varchar, asks varchar, live boolean,
            joined_at timestamptz
        )
        WHERE seat.match_id = changed.id AND seat.number = new.number
    ), deliveries AS (
        INSERT INTO games_delivery
            (public_id, webhook_id, match_id, version, type, seat, status, created_at, due_at, tried,
            attempts)
        SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhook.id, changed.id,
            %(version)s, asked.type,
            (%(seats_of_people)s::smallint[])[array_position(%(people)s::bigint[], webhook.player_id)],
            'pending', %(at)s, %(at)s, 0, '[]'
        FROM changed, games_webhook AS webhook,
            unnest(%(types)s::text[]) WITH ORDINALITY AS asked (type, place)
        WHERE webhook.active AND (
            webhook.match_id = %(match_id)s
            OR webhook.match_id IS NULL
                AND webhook.player_id = ANY (ARRAY(SELECT unnest(%(people)s::bigint[])))
        ) AND CASE
            WHEN webhook.types = '' THEN asked.place = 1
            ELSE webhook.types LIKE '%% ' || asked.type || ' %%'
                AND (asked.type <> 'your_turn' OR webhook.player_id = %(turn_of)s)
        END AND (%(may_see)s::bigint[] IS NULL OR webhook.player_id = ANY (%(may_see)s::bigint[]))
        FOR KEY SHARE OF webhook
    )"""
_OPTIONAL_PARTS: Final = """
    , rounds_ended AS (
        UPDATE games_round AS round SET
            last_version = %(version)s, ended_at = %(at)s, link = new.link, out = new.out,
            scores = new.scores, totals = new.totals
        FROM changed, jsonb_to_recordset(%(rounds_ended)s) AS new (
            number smallint, link varchar, out jsonb, scores jsonb, totals jsonb
        )
        WHERE round.match_id = changed.id AND round.number = new.number
    ), rounds_begun AS (
        INSERT INTO games_round (match_id, number, dealer, leader, deal, first_version, link, out)
        SELECT changed.id, new.number, new.dealer, new.leader, new.deal, %(version)s, '', '[]'
        FROM changed, jsonb_to_recordset(%(rounds_begun)s) AS new (
            number smallint, dealer smallint, leader smallint, deal text
        )
    ), bets AS (
        INSERT INTO games_bet (match_id, round_number, seat, amount, version)
        SELECT changed.id, new.round_number, new.seat, new.amount, %(version)s
        FROM changed, jsonb_to_recordset(%(bets)s) AS new (
            round_number smallint, seat smallint, amount smallint
        )
    ), notices AS (
        INSERT INTO games_notice (player_id, kind, way, about, version, due_at, tried)
        SELECT new.player_id, new.kind, new.way, changed.id, %(version)s, new.due_at, 0
        FROM changed, jsonb_to_recordset(%(notices)s) AS new (
            player_id bigint, kind varchar, way varchar, due_at timestamptz
        )
        ON CONFLICT (player_id, about, kind, way) DO UPDATE SET
            version = excluded.version, tried = 0, devices = NULL,
            due_at = CASE excluded.way WHEN 'digest' THEN games_notice.due_at ELSE excluded.due_at END
    ), answer AS (
        INSERT INTO games_idempotencykey (player_id, method, path, key, body_hash, status, body)
        SELECT new.player_id, new.method, new.path, new.key, new.body_hash, new.status, %(answer_body)s
        FROM changed, jsonb_to_recordset(%(answer)s) AS new (
            player_id bigint, method varchar, path varchar, key varchar, body_hash varchar, status smallint
        )
    )"""
_COUNT_CHANGED: Final = "SELECT count(*)::text FROM changed"
# Most events need no optional parts, which take 33 of 296 µs on the server even without rows to write, and no
# place in the order of AI turns.
# The keys say whether the statement has them, and whether the service takes the next turn.
POSTGRESQL: Final = {
    (has_parts, is_service_turn): f"{_EVERY_EVENT} {parts} {_COUNT_CHANGED}".replace(_PLACE, place)
    for has_parts, parts in ((True, _OPTIONAL_PARTS), (False, ""))
    for is_service_turn, place in ((True, TURN_ORDER), (False, "0"))
}
_OPTIONAL: Final = ("rounds_ended", "rounds_begun", "bets", "notices", "answer")

# The same parts for SQLite: first the statements of every event, then those executed once for each row.
SQLITE_MATCH: Final = f"""
    {_MATCH} AND (NOT %(in_time)s OR deadline IS NULL OR deadline > %(clock)s)
""".replace(_PLACE, TURN_ORDER)
SQLITE_ALWAYS: Final = (
    """
    INSERT INTO games_move (match_id, version, round_number, type, seat, by, at, entry)
    VALUES (%(match_id)s, %(version)s, %(round)s, %(type)s, %(seat)s, %(by)s, %(at)s, %(entry)s)
    """,
    "UPDATE games_snapshot SET version = %(version)s, state = %(snapshot)s WHERE match_id = %(match_id)s",
    """
    INSERT INTO games_delivery
        (public_id, webhook_id, match_id, version, type, seat, status, created_at, due_at, tried, attempts)
    SELECT 'msg_' || lower(hex(randomblob(16))), webhook.id, %(match_id)s,
        %(version)s, asked.value,
        (
            SELECT seat.value FROM json_each(%(people)s) AS person, json_each(%(seats_of_people)s) AS seat
            WHERE person.value = webhook.player_id AND person.key = seat.key
        ),
        'pending', %(at)s, %(at)s, 0, '[]'
    FROM games_webhook AS webhook, json_each(%(types)s) AS asked
    WHERE webhook.active AND (
        webhook.match_id = %(match_id)s
        OR webhook.match_id IS NULL AND webhook.player_id IN (SELECT value FROM json_each(%(people)s))
    ) AND CASE
        WHEN webhook.types = '' THEN asked.key = 0
        ELSE webhook.types LIKE '%% ' || asked.value || ' %%'
            AND (asked.value <> 'your_turn' OR webhook.player_id = %(turn_of)s)
    END AND (%(may_see)s IS NULL OR webhook.player_id IN (SELECT value FROM json_each(%(may_see)s)))
    """,
)
SQLITE_EACH: Final = {
    "seats": """
        UPDATE games_seat SET
            state = %(state)s, player_id = %(player_id)s, level = %(level)s, client_seed = %(client_seed)s,
            time_bank_left = %(time_bank_left)s, timeouts = %(timeouts)s, asks = %(asks)s, live = %(live)s,
            joined_at = %(joined_at)s, standing_trick = coalesce(%(standing_trick)s, standing_trick)
        WHERE match_id = %(match_id)s AND number = %(number)s
    """,
    "rounds_ended": """
        UPDATE games_round SET
            last_version = %(version)s, ended_at = %(at)s, link = %(link)s, out = %(out)s,
            scores = %(scores)s, totals = %(totals)s
        WHERE match_id = %(match_id)s AND number = %(number)s
    """,
    "rounds_begun": """
        INSERT INTO games_round (match_id, number, dealer, leader, deal, first_version, link, out)
        VALUES (%(match_id)s, %(number)s, %(dealer)s, %(leader)s, %(deal)s, %(version)s, '', '[]')
    """,
    "bets": """
        INSERT INTO games_bet (match_id, round_number, seat, amount, version)
        VALUES (%(match_id)s, %(round_number)s, %(seat)s, %(amount)s, %(version)s)
    """,
    "notices": """
        INSERT INTO games_notice (player_id, kind, way, about, version, due_at, tried)
        VALUES (%(player_id)s, %(kind)s, %(way)s, %(match_id)s, %(version)s, %(due_at)s, 0)
        ON CONFLICT (player_id, about, kind, way) DO UPDATE SET
            version = excluded.version, tried = 0, devices = NULL,
            due_at = CASE excluded.way WHEN 'digest' THEN games_notice.due_at ELSE excluded.due_at END
    """,
    "answer": """
        INSERT INTO games_idempotencykey (player_id, method, path, key, body_hash, status, body)
        VALUES (%(player_id)s, %(method)s, %(path)s, %(key)s, %(body_hash)s, %(status)s, %(answer_body)s)
    """,
}


_NO_ROWS: Final = dict.fromkeys(SQLITE_EACH)


def commit_event(  # noqa: PLR0913 -- an event has this many parts, most of them empty
    before: MatchRow,
    after: MatchRow,
    entry: LogEntry,
    *,
    rounds: tuple[RoundBegun | RoundEnded, ...] = (),
    bets: tuple[BetRow, ...] = (),
    answer: Answer | None = None,
    in_time: bool = False,
) -> bool:
    """Write an event; return `False` and write nothing if the match has another version by now.

    With `in_time`, which is for actions of players, the deadline must not have passed either.
    """
    event = Event(before, after, entry, rounds, bets)
    if connection.vendor != "postgresql":
        return _commit_to_sqlite(event, answer, in_time=in_time)
    parameters = _for_postgresql(event, answer, in_time=in_time)
    needs_optional_parts = any(parameters[name] is not None for name in _OPTIONAL)
    [count] = fetch(POSTGRESQL[needs_optional_parts, after.wake_at is not None], parameters)
    return int(count) > 0


def commit_events(events: Sequence[Event]) -> list[bool]:
    """Write events of different matches; return for each whether it was written.

    In PostgreSQL they are sent in a pipeline, without a round trip for each.
    """
    if connection.vendor != "postgresql":
        return [commit_event(*event[:3], rounds=event.rounds, bets=event.bets) for event in events]
    parameters = [_for_postgresql(event, None, in_time=False) for event in events]
    statement = POSTGRESQL[True, any(event.after.wake_at is not None for event in events)]
    with connection.cursor() as cursor:
        # The cursor of psycopg, because Django's `executemany` returns no results.
        cursor.cursor.executemany(statement, parameters, returning=True)
        return [int(count) > 0 for result in cursor.cursor.results() for (count,) in result.fetchall()]


def add_notices(row: MatchRow, notices: Iterable[NoticeRow]) -> None:
    """Insert notices without an event, such as reminders; each replaces an older one of its kind."""
    with connection.cursor() as cursor:
        for each in notices:
            due_at = connection.ops.adapt_datetimefield_value(each.due_at)
            about = {"match_id": row.id, "version": row.version, "due_at": due_at}
            cursor.execute(SQLITE_EACH["notices"], each._asdict() | about)


def _commit_to_sqlite(event: Event, answer: Answer | None, *, in_time: bool) -> bool:
    targets = recipients(event.before, event.after, event.entry)
    parameters = _columns(event, answer, in_time=in_time, time=_format_time_for_sqlite) | {
        "clock": _format_time_for_sqlite(timezone.now()),
        "people": _json(targets.player_ids),
        "seats_of_people": _json(targets.seat_numbers),
        "may_see": _json(targets.visible_to),
        "types": _json(targets.types),
        "turn_of": targets.turn_of,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SQLITE_MATCH, parameters)
        if cursor.rowcount == 0:
            return False
        for sql in SQLITE_ALWAYS:
            cursor.execute(sql, parameters)
        for name, rows in _rows(event, answer, time=_format_time_for_sqlite).items():
            for row in rows:
                own = {key: _json(each) if isinstance(each, list) else each for key, each in row.items()}
                cursor.execute(SQLITE_EACH[name], parameters | own)
    return True


def _format_time_for_sqlite(moment: datetime) -> str:
    """Format a time in UTC without an offset, as SQLite stores it."""
    return str(moment.astimezone(UTC).replace(tzinfo=None))


def _for_postgresql(event: Event, answer: Answer | None, *, in_time: bool) -> dict[str, str | None]:
    """Return all parameters as text, so that one prepared statement serves every event."""
    parameters = _columns(event, answer, in_time=in_time, time=str) | _NO_ROWS
    for name, rows in _rows(event, answer, time=str).items():
        if rows:
            parameters[name] = _json(rows)
    player_ids, numbers, visible_to, types, turn_of = recipients(event.before, event.after, event.entry)
    parameters["people"] = _array(player_ids)
    parameters["seats_of_people"] = _array(numbers)
    parameters["may_see"] = None if visible_to is None else _array(visible_to)
    parameters["types"] = _array(types)
    parameters["turn_of"] = None if turn_of is None else str(turn_of)
    return parameters


def _array(values: Iterable[object]) -> str:
    """Format a PostgreSQL array. The values contain nothing that needs escaping."""
    return f"{{{','.join(map(str, values))}}}"


def _columns(
    event: Event, answer: Answer | None, *, in_time: bool, time: TimeFormat
) -> dict[str, str | None]:
    """Return the parameters with one value as text, which both databases cast to the column types."""
    before, after, entry, _, _ = event
    return {
        "match_id": before.id,
        "before": str(before.version),
        "in_time": "1" if in_time else "0",
        "version": str(after.version),
        "status": str(after.status),
        "open_seats": str(after.open_seats),
        "round_number": _text(after.round_number),
        "round_first_version": _text(after.round_first_version),
        "to_act": _text(after.to_act),
        "expects": after.expects,
        "deadline": None if after.deadline is None else time(after.deadline),
        "remind_at": None if after.remind_at is None else time(after.remind_at),
        "paused_at": None if after.paused_at is None else time(after.paused_at),
        "paused_until": None if after.paused_until is None else time(after.paused_until),
        "paused_seconds": str(after.paused_seconds),
        "turn_left_ms": _text(after.turn_left_ms),
        "wake_at": None if after.wake_at is None else time(after.wake_at),
        "attempts": str(after.attempts),
        "turn_due_at": None if after.turn_due_at is None else time(after.turn_due_at),
        "turn_priority": str(int(after.turn_priority)),
        "maker_id": str(before.maker_id),
        "totals": _json(after.totals),
        "result": _json(after.result),
        "started_at": None if after.started_at is None else time(after.started_at),
        "finished_at": None if after.finished_at is None else time(after.finished_at),
        "expires_at": None if after.expires_at is None else time(after.expires_at),
        "snapshot": after.snapshot.reveal(),
        "round": _text(entry["round"]),
        "type": str(entry["type"]),
        "seat": _text(entry["seat"]),
        "by": str(entry["by"]),
        "at": time(before.now),
        "entry": _json(entry),
        "answer_body": None if answer is None else _answer_body(after, answer),
    }


def _answer_body(row: MatchRow, answer: Answer) -> str:
    """Return the response as JSON without names, so that no account leaves its name in stored responses."""
    ids = {row.maker: row.maker_id}
    for seat in row.seats:
        if seat.username is not None and seat.player_id is not None:
            ids[seat.username] = seat.player_id
    return replace_names(_json(answer.body) or "null", ids)


def _rows(event: Event, answer: Answer | None, *, time: TimeFormat) -> dict[str, list[Columns]]:
    """Return the parameters with a list of rows, most of which are empty."""
    before, after, entry, rounds, bets = event
    rows = {"seats": _changed_seats(before.seats, after.seats, time)}
    notices = notices_of(before, after, entry)
    if notices:
        rows["notices"] = [each._asdict() | {"due_at": time(each.due_at)} for each in notices]
    if rounds:
        rows["rounds_ended"] = [each._asdict() for each in rounds if isinstance(each, RoundEnded)]
        begun = [each for each in rounds if isinstance(each, RoundBegun)]
        rows["rounds_begun"] = [each._asdict() | {"deal": _json(each.deal.reveal())} for each in begun]
    if bets:
        rows["bets"] = [each._asdict() for each in bets]
    if answer is not None:
        rows["answer"] = [{**answer.request._asdict(), "status": answer.status}]
    return rows


def _changed_seats(before: Iterable[SeatRow], after: Iterable[SeatRow], time: TimeFormat) -> list[Columns]:
    return [
        {
            "number": seat.number,
            "state": seat.state,
            "player_id": seat.player_id,
            "level": seat.level,
            "client_seed": seat.client_seed,
            "time_bank_left": seat.time_bank_left,
            "timeouts": seat.timeouts,
            "standing_trick": None if seat.standing_trick == old.standing_trick else seat.standing_trick,
            "asks": seat.asks,
            "live": seat.live,
            "joined_at": None if seat.joined_at is None else time(seat.joined_at),
        }
        for old, seat in zip(before, after, strict=True)
        if seat != old
    ]


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)


def _json(value: object) -> str | None:
    return None if value is None else compact_json.dump_json(value).decode()
