"""Replay stored matches from their logs or records and compare the result with what is stored."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder

from games.core import compact_json
from games.core.errors import Problem
from games.core.secrets import Secret
from games.core.times import format_time
from games.gateway.agreement import Deals
from games.gateway.documents import DealEvent, LogEntry, NextTurn, ResultDocument, RoundEndEvent
from games.gateway.match_replay import ExpectedEntry, MatchReplay, ReplayedSeats
from games.gateway.records import ImportedMatch, ImportRefused, read_match
from games.gateway.seat_clock import SeatClock
from games.gateway.table import match_end
from games.identity.models import Closing, Player
from games.matches.entries import abandoned_result, rank_resigned_last
from games.matches.models.log import Bet, EventType, Move, Round
from games.matches.models.match import Match, MatchStatus, SeatState
from games.matches.store import MatchRow, SeatRow, find_match
from games.records.models import ImportedRecord
from games.records.services import bet_columns, entry_times, match_columns, move_columns, round_columns

# The values of a row by column.
Columns = dict[str, Any]

__all__ = ["Counts", "Difference", "verify_matches"]

BATCH_SIZE: Final = 1000
_ACTION_FIELDS: Final = ("cards", "combination", "wilds", "amount", "to")
_PLAYED: Final = (MatchStatus.ACTIVE, MatchStatus.PAUSED)
_UNFINISHED: Final = (MatchStatus.OPEN, *_PLAYED)
_WAITED_FOR: Final = (SeatState.INVITED, SeatState.PLAYING, SeatState.CARETAKER)


@dataclass(slots=True)
class Counts:
    """The numbers of verified matches, events and rounds."""

    matches: int = 0
    events: int = 0
    rounds: int = 0

    def add(self, *, events: int, rounds: int) -> None:
        """Add one match with its events and rounds."""
        self.matches += 1
        self.events += events
        self.rounds += rounds


def verify_matches(*, match_id: str | None = None) -> Counts:
    """Replay one match or all of them and raise the first `Difference`."""
    counts = Counts()
    for each in [match_id] if match_id is not None else _every_match():
        _verify(each, counts)
    return counts


def _every_match() -> Iterator[str]:
    """Yield the IDs of all matches, fetched in batches."""
    ids, last = Match.objects.order_by("pk").values_list("pk", flat=True), ""
    while page := list(ids.filter(pk__gt=last)[:BATCH_SIZE]):
        yield from page
        last = page[-1]


def _verify(match_id: str, counts: Counts) -> None:
    row = find_match(match_id)
    if row is None:
        raise Difference(match_id, "there is no such match")
    if row.imported_at is not None:
        imported = verify_imported(row)
        counts.add(events=len(imported.entries), rounds=len(imported.rounds))
        return
    replay = MatchReplay(row.agreement, _deals(row), _seats(row))
    rounds = _RoundChecker(match_id, row.version)
    moves = Move.objects.filter(match_id=match_id, version__lte=row.version).order_by("version")
    for move in moves.iterator(chunk_size=BATCH_SIZE):
        _compare_entry(row, replay, move)
        rounds.add_entry(replay, move.entry)
    _compare_match(row, replay)
    _require_next_actor(row)
    rounds.compare()
    counts.add(events=replay.version, rounds=len(rounds.expected))


def _deals(row: MatchRow) -> Deals:
    """Return the deals of a match; a match that was cancelled before it started has none, and no chain."""
    if row.status == MatchStatus.CANCELLED and row.started_at is None:
        return Deals(row.id, b"", row.seeds)
    return row.deals()


def _seats(row: MatchRow) -> ReplayedSeats:
    """Return the initial seats; with a clock, their time banks are full."""
    bank = 0 if row.turn_seconds is None else row.time_bank_seconds
    return ReplayedSeats(row.players, bank)


def _compare_entry(row: MatchRow, replay: MatchReplay, move: Move) -> None:
    match_id, entry, where = row.id, move.entry, f"version {move.version}"
    columns = {
        "version": replay.version + 1,
        "round": move.round_number,
        "type": move.type,
        "seat": move.seat,
        "by": move.by,
    }
    for name, value in {"version": move.version, **columns}.items():
        require_equal(match_id, f"{where}: {name}", entry[name], value)
    try:
        expected = replay.apply(entry)
    except (Problem, ValueError) as error:
        raise Difference(match_id, f"{where}: not a legal event ({type(error).__name__})") from None
    _complete(expected, replay, row, entry)
    for name in _ACTION_FIELDS:
        if expected.action_fields:
            require_equal(match_id, f"{where}: {name}", entry[name], expected.action_fields.get(name))
    require_equal(match_id, f"{where}: then", entry["then"], expected.events)
    _compare_next(match_id, where, entry["next"], replay)


def _complete(expected: ExpectedEntry, replay: MatchReplay, row: MatchRow, entry: LogEntry) -> None:
    """Add the effects of resigned seats on the result, which the service decides and not the engine."""
    seats = [_with_state(seat, replay.seats.resigned) for seat in row.seats]
    rank_resigned_last(expected.events, seats)
    if replay.status == MatchStatus.FINISHED and replay.table is not None and replay.table.to_act is not None:
        result = abandoned_result(EventType(entry["type"]), entry["by"], replay.table.totals, seats)
        expected.events.append(match_end(result))


def _with_state(seat: SeatRow, resigned: set[int]) -> SeatRow:
    """Return the seat with its state at this point of the log."""
    state = SeatState.RESIGNED if seat.number in resigned else SeatState.PLAYING
    return seat._replace(state=state)


def _compare_next(match_id: str, where: str, stored: NextTurn, replay: MatchReplay) -> None:
    table = replay.table if replay.status == MatchStatus.ACTIVE else None
    to_act = None if table is None else table.to_act
    require_equal(match_id, f"{where}: next to act", stored["to_act"], to_act)
    expects = None if table is None or to_act is None else table.expects
    require_equal(match_id, f"{where}: the action expected next", stored["expects"], expects)


def _compare_match(row: MatchRow, replay: MatchReplay) -> None:
    table = replay.table
    require_equal(row.id, "the number of events", row.version, replay.version)
    require_equal(row.id, "the status", row.status, replay.status)
    if table is None:
        return
    playing = row.status in _PLAYED
    require_equal(row.id, "the seat to act", row.to_act, table.to_act if playing else None)
    require_equal(row.id, "the expected action", row.expects, table.expects if playing else "")
    require_equal(row.id, "the round", row.round_number, table.round_number)
    require_equal(row.id, "the totals", row.totals, table.totals)
    require_equal(row.id, "the version of the snapshot", row.snapshot_version, row.version)
    require_equal(row.id, "the snapshot", compact_json.load_json(row.snapshot.reveal()), table.dump())
    _compare_seats(row, replay.seats)


def _require_next_actor(row: MatchRow) -> None:
    """Raise a `Difference` if an unfinished match waits for somebody who never acts.

    Nobody else would notice: a deleted or banned player, whose matches are left when the account is closed,
    and an AI turn, a pause or an open match without the time at which the service acts.
    """
    closed = _closed_players(row)
    if closed:  # read again, since an account may have been closed since the match was read
        row = find_match(row.id) or row
    for seat in row.seats:
        if row.status in _UNFINISHED and seat.player_id in closed and seat.state in _WAITED_FOR:
            raise Difference(row.id, f"seat {seat.number} waits for a deleted or banned player")
    if row.status == MatchStatus.OPEN and row.maker_id in closed:
        raise Difference(row.id, "the match waits for its deleted or banned maker")
    unset = {
        MatchStatus.OPEN: row.expires_at is None,
        MatchStatus.PAUSED: row.paused_until is None,
        MatchStatus.ACTIVE: _waits_without_end(row),
    }
    if unset.get(MatchStatus(row.status), False):
        raise Difference(row.id, "the match waits for nobody")


def _closed_players(row: MatchRow) -> set[int]:
    """Return the players of an unfinished match whose account is closed and has left its matches."""
    if row.status not in _UNFINISHED:
        return set()
    player_ids = {row.maker_id, *[seat.player_id for seat in row.seats if seat.player_id is not None]}
    closed = Player.objects.filter(pk__in=player_ids, is_active=False, closing=Closing.NONE)
    return set(closed.values_list("pk", flat=True))


def _waits_without_end(row: MatchRow) -> bool:
    """Return whether the seat to act is one that only the service can move on, at a time that is not set."""
    seat = row.seats[row.to_act or 0]
    if seat.is_automatic:
        return row.wake_at is None
    return row.turn_seconds is not None and row.deadline is None


def _compare_seats(row: MatchRow, replay: ReplayedSeats) -> None:
    """Compare the state and the clock of each seat with the log."""
    for state, expected in ((SeatState.RESIGNED, replay.resigned), (SeatState.CARETAKER, replay.caretakers)):
        seats = sorted(seat.number for seat in row.seats if seat.state == state)
        require_equal(row.id, f"the seats that are {state}", seats, sorted(expected))
    requesting = sorted(seat.number for seat in row.seats if seat.asks)
    require_equal(row.id, "the seats that request a pause or its end", requesting, sorted(replay.asked_by))
    if row.status == MatchStatus.PAUSED:
        require_equal(row.id, "the time left in the turn", row.turn_left_ms, replay.turn_left_ms)
    require_equal(row.id, "the deadline", format_time(row.deadline), format_time(replay.deadline))
    for seat in row.seats:
        clock = SeatClock(seat.time_bank_left, seat.timeouts)
        require_equal(
            row.id, f"the clock of seat {seat.number}", asdict(clock), asdict(replay.clocks[seat.number])
        )


class _RoundChecker:
    """Collects the expected rounds and bets from the log and compares them with the stored rows."""

    def __init__(self, match_id: str, version: int) -> None:
        self.match_id = match_id
        self.version = version
        self.expected: dict[int, Columns] = {}
        self.bets: set[tuple[int | None, int | None, int | None, int]] = set()
        self.result: ResultDocument | None = None

    def add_entry(self, replay: MatchReplay, entry: LogEntry) -> None:
        """Record the rounds that an entry begins or ends, the bet that it makes and the result."""
        if entry["type"] == "bet":
            self.bets.add((entry["round"], entry["seat"], entry["amount"], entry["version"]))
        for event in entry["then"]:
            if event["type"] == "deal":
                self._begin(replay, event, entry["version"])
            elif event["type"] == "round_end":
                self._end(event, entry["version"])
            elif event["type"] == "match_end":
                self.result = event["result"]

    def _begin(self, replay: MatchReplay, deal: DealEvent, version: int) -> None:
        self.expected[deal["number"]] = {
            "dealer": deal["dealer"],
            "leader": deal["leader"],
            "deal": None if replay.table is None else replay.table.deal_to_json(),
            "first_version": version,
            "last_version": None,
        }

    def _end(self, ended: RoundEndEvent, version: int) -> None:
        columns = {name: ended[name] for name in ("link", "out", "scores", "totals")}
        self.expected[ended["number"]] |= {"last_version": version, **columns}

    def compare(self) -> None:
        """Compare the stored rounds, bets and result with what the log leads to.

        Rows with a version above that of the match, as it was read, belong to later moves and are ignored.
        """
        result = Match.objects.filter(pk=self.match_id, version=self.version).values_list("result", flat=True)
        if result:
            require_equal(self.match_id, "the result", result[0], self.result)
        stored = Round.objects.filter(match_id=self.match_id, first_version__lte=self.version)
        rows = {each.number: each for each in stored}
        require_equal(self.match_id, "the numbers of the rounds", sorted(rows), sorted(self.expected))
        for number, expected in self.expected.items():
            self._compare_round(rows[number], expected)
        bets = Bet.objects.filter(match_id=self.match_id, version__lte=self.version)
        stored_bets = set(bets.values_list("round_number", "seat", "amount", "version"))
        require_equal(self.match_id, "the bets", sorted(stored_bets), sorted(self.bets))

    def _compare_round(self, row: Round, expected: Mapping[str, Any]) -> None:
        stored = {name: getattr(row, name) for name in expected} | {"deal": row.deal.reveal()}
        if row.last_version is not None and row.last_version > self.version:
            stored["last_version"] = None
        for name, value in expected.items():
            require_equal(self.match_id, f"round {row.number}: {name}", stored[name], value)


def verify_imported(row: MatchRow) -> ImportedMatch:
    """Compare an imported match with its record and return it, or raise the first `Difference`."""
    match_id, imported_at = row.id, row.imported_at
    record = ImportedRecord.objects.filter(match=match_id).values_list("record", flat=True).first()
    if record is None or imported_at is None:
        raise Difference(match_id, "the record is missing")
    try:
        imported = read_match(record)
    except ImportRefused as fault:
        raise Difference(match_id, f"the record: {fault}") from None
    times = entry_times(imported, imported_at)
    _compare_rows(match_id, "version", Move, move_columns(imported, times))
    _compare_rows(match_id, "number", Round, round_columns(imported, times))
    _compare_rows(match_id, "version", Bet, bet_columns(imported))
    for name, expected in match_columns(record, imported, times).items():
        require_equal(match_id, name, getattr(row, name), expected)
    require_equal(
        match_id, "the snapshot", compact_json.load_json(row.snapshot.reveal()), imported.table.dump()
    )
    return imported


def _compare_rows(match_id: str, key: str, model: Any, expected: list[Columns]) -> None:  # noqa: ANN401 -- a model
    """Compare the stored rows of a match with the expected ones, which must be complete."""
    stored = {getattr(each, key): each for each in model.objects.filter(match=match_id)}
    require_equal(match_id, f"the {key}s", sorted(stored), sorted(each[key] for each in expected))
    for columns in expected:
        _compare_row(f"{key} {columns[key]}", match_id, stored[columns[key]], columns)


def _compare_row(where: str, match_id: str, stored: object, expected: Mapping[str, Any]) -> None:
    for name, value in expected.items():
        require_equal(match_id, f"{where}: {name}", _plain(getattr(stored, name)), _plain(value))


def _plain(value: Any) -> Any:  # noqa: ANN401 -- of any column
    """Return the value, revealed if it is a `Secret`; the deal of an ended round is public."""
    return value.reveal() if isinstance(value, Secret) else value


class Difference(Exception):
    """Stored data that differs from the log; only its place is named, never its value."""

    def __init__(self, match_id: str, where: str) -> None:
        """Store the match and the place of the difference."""
        super().__init__(f"{match_id}: {where}")


def require_equal(match_id: str, where: str, stored: object, expected: object) -> None:
    """Raise a `Difference` unless both values serialise to the same JSON."""
    if _as_json(stored) != _as_json(expected):
        raise Difference(match_id, where)


def _as_json(value: object) -> str:
    return json.dumps(value, sort_keys=True, cls=DjangoJSONEncoder)
