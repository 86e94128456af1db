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
from games.gateway.fold import ExpectedEntry, MatchReplay, ReplayedSeats, SeatClock
from games.gateway.records import ImportedMatch, ImportRefused, read_match
from games.gateway.table import match_end
from games.matches.entries import abandoned_result, rank_resigned_last
from games.matches.models.log import Bet, EventType, Move, Round
from games.matches.models.match import Match, MatchStatus, SeatState
from games.matches.store import MatchRow, SeatRow, find_match
from games.records.models import ImportedRecord
from games.records.services import bets_of, match_columns, moves_of, rounds_of, times_of

Form = dict[str, Any]

__all__ = ["Counts", "Difference", "verify_matches"]

AT_ONCE: Final = 1000
_SAID: Final = ("cards", "combination", "wilds", "amount", "to")
_PLAYED: Final = (MatchStatus.ACTIVE, MatchStatus.PAUSED)


@dataclass(slots=True)
class Counts:
    """How much was gone through."""

    matches: int = 0
    events: int = 0
    rounds: int = 0

    def add(self, *, events: int, rounds: int) -> None:
        """Count one match."""
        self.matches += 1
        self.events += events
        self.rounds += rounds


def verify_matches(*, match_id: str | None = None) -> Counts:
    """Fold one match, or all of them; the first difference is raised."""
    counts = Counts()
    for each in [match_id] if match_id is not None else _every_match():
        _verify(each, counts)
    return counts


def _every_match() -> Iterator[str]:
    """The ids of all matches, a bounded number at a time."""
    ids, last = Match.objects.order_by("pk").values_list("pk", flat=True), ""
    while page := list(ids.filter(pk__gt=last)[:AT_ONCE]):
        yield from page
        last = page[-1]


def _verify(match_id: str, counts: Counts) -> None:
    row = find_match(match_id)
    if row is None:
        raise Difference(match_id, "there is no such match")
    if row.imported_at is not None:
        told = verify_imported(row)
        counts.add(events=len(told.entries), rounds=len(told.rounds))
        return
    fold = MatchReplay(row.agreement, row.deals(), _seats(row))
    rounds = _RoundChecker(match_id, row.version)
    moves = Move.objects.filter(match_id=match_id, version__lte=row.version).order_by("version")
    for move in moves.iterator(chunk_size=AT_ONCE):
        _compare_entry(row, fold, move)
        rounds.follow(fold, move.entry)
    _compare_match(row, fold)
    rounds.compare()
    counts.add(events=fold.version, rounds=len(rounds.expected))


def _seats(row: MatchRow) -> ReplayedSeats:
    """The seats before anything happened. A time bank is filled where there is a clock."""
    bank = 0 if row.turn_seconds is None else row.time_bank_seconds
    return ReplayedSeats(row.players, bank)


def _compare_entry(row: MatchRow, fold: MatchReplay, move: Move) -> None:
    match_id, entry, where = row.id, move.entry, f"version {move.version}"
    columns = {
        "version": fold.version + 1,
        "round": move.round_number,
        "type": move.type,
        "seat": move.seat,
        "by": move.by,
    }
    for name, value in {"version": move.version, **columns}.items():
        require_equal(match_id, f"{where}: {name}", entry[name], value)
    try:
        expected = fold.apply(entry)
    except (Problem, ValueError) as error:
        raise Difference(match_id, f"{where}: this cannot have happened ({type(error).__name__})") from None
    _complete(expected, fold, row, entry)
    for name in _SAID:
        if expected.action_fields:
            require_equal(match_id, f"{where}: {name}", entry[name], expected.action_fields.get(name))
    require_equal(match_id, f"{where}: then", entry["then"], expected.events)
    _compare_next(match_id, where, entry["next"], fold)


def _complete(expected: ExpectedEntry, fold: MatchReplay, row: MatchRow, entry: Form) -> None:
    """Who wins where seats were given up is for the service to say; so it is here."""
    seats = [_seat_at(seat, fold.seats.resigned) for seat in row.seats]
    rank_resigned_last(expected.events, seats)
    if fold.status == MatchStatus.FINISHED and fold.table is not None and fold.table.to_act is not None:
        result = abandoned_result(EventType(entry["type"]), entry["by"], fold.table.totals, seats)
        expected.events.append(match_end(result))


def _seat_at(seat: SeatRow, resigned: set[int]) -> SeatRow:
    """The seat, given up or not at this point of the log."""
    given_up = seat.number in resigned
    state = SeatState.RESIGNED if given_up else SeatState.PLAYING
    return seat._replace(state=state)


def _compare_next(match_id: str, where: str, said: Form, fold: MatchReplay) -> None:
    table = fold.table if fold.status == MatchStatus.ACTIVE else None
    to_act = None if table is None else table.to_act
    require_equal(match_id, f"{where}: next to act", said["to_act"], to_act)
    expects = None if table is None or to_act is None else table.expects
    require_equal(match_id, f"{where}: what is expected next", said["expects"], expects)


def _compare_match(row: MatchRow, fold: MatchReplay) -> None:
    table = fold.table
    require_equal(row.id, "the number of events", row.version, fold.version)
    require_equal(row.id, "the status", row.status, fold.status)
    if table is None:
        return
    playing = row.status in _PLAYED
    require_equal(row.id, "who is to act", row.to_act, table.to_act if playing else None)
    require_equal(row.id, "what is expected", row.expects, table.expects if playing else "")
    require_equal(row.id, "the round", row.round_number, table.round_number)
    require_equal(row.id, "the totals", row.totals, table.totals)
    require_equal(row.id, "the version of the snapshot", row.snapshot_version, row.version)
    require_equal(row.id, "the snapshot", compact_json.load_json(row.snapshot.reveal()), table.dump())
    _compare_seats(row, fold.seats)


def _compare_seats(row: MatchRow, fold: ReplayedSeats) -> None:
    """Compare who plays each seat, and its clock, with what the log says."""
    for state, expected in ((SeatState.RESIGNED, fold.resigned), (SeatState.CARETAKER, fold.caretakers)):
        seats = sorted(seat.number for seat in row.seats if seat.state == state)
        require_equal(row.id, f"the seats that are {state}", seats, sorted(expected))
    asking = sorted(seat.number for seat in row.seats if seat.asks)
    require_equal(row.id, "who asks for a pause or its end", asking, sorted(fold.asked_by))
    if row.status == MatchStatus.PAUSED:
        require_equal(row.id, "what is left of the turn", row.turn_left_ms, fold.turn_left_ms)
    require_equal(row.id, "the deadline", format_time(row.deadline), format_time(fold.deadline))
    for seat in row.seats:
        clock = SeatClock(seat.time_bank_left, seat.timeouts)
        require_equal(
            row.id, f"the clock of seat {seat.number}", asdict(clock), asdict(fold.clocks[seat.number])
        )


class _RoundChecker:
    """The rows of rounds and bets as they must be, put together while the log is gone through."""

    def __init__(self, match_id: str, version: int) -> None:
        self.match_id = match_id
        self.version = version
        self.expected: dict[int, Form] = {}
        self.bets: set[tuple[int, int, int, int]] = set()
        self.result: Form | None = None

    def follow(self, fold: MatchReplay, entry: Form) -> None:
        """Note what an entry begins, ends and bets."""
        if entry["type"] == "bet":
            self.bets.add((entry["round"], entry["seat"], entry["amount"], entry["version"]))
        for happening in entry["then"]:
            if happening["type"] == "deal":
                self._begin(fold, happening, entry["version"])
            elif happening["type"] == "round_end":
                self._end(happening, entry["version"])
            elif happening["type"] == "match_end":
                self.result = happening["result"]

    def _begin(self, fold: MatchReplay, dealt: Form, version: int) -> None:
        self.expected[dealt["number"]] = {
            "dealer": dealt["dealer"],
            "leader": dealt["leader"],
            "deal": None if fold.table is None else fold.table.deal_to_json(),
            "first_version": version,
            "last_version": None,
        }

    def _end(self, ended: Form, version: int) -> None:
        parts = {name: ended[name] for name in ("link", "out", "scores", "totals")}
        self.expected[ended["number"]] |= {"last_version": version, **parts}

    def compare(self) -> None:
        """Compare the rows of rounds and of bets, and the result, with what the log has brought about.

        Rows that are younger than the match as it was read belong to moves made since then.
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
    """The match as its record tells it, which is what is stored; the first difference is raised."""
    match_id, imported_at = row.id, row.imported_at
    record = ImportedRecord.objects.filter(match=match_id).values_list("record", flat=True).first()
    if record is None or imported_at is None:
        raise Difference(match_id, "there is no record of it")
    try:
        told = read_match(record)
    except ImportRefused as fault:
        raise Difference(match_id, f"the record: {fault}") from None
    times = times_of(told, imported_at)
    _compare_rows(match_id, "version", Move, moves_of(told, times))
    _compare_rows(match_id, "number", Round, rounds_of(told, times))
    _compare_rows(match_id, "version", Bet, bets_of(told))
    for name, expected in match_columns(record, told, times).items():
        require_equal(match_id, name, getattr(row, name), expected)
    require_equal(match_id, "the snapshot", compact_json.load_json(row.snapshot.reveal()), told.table.dump())
    return told


def _compare_rows(match_id: str, key: str, model: Any, expected: list[Form]) -> None:  # noqa: ANN401 -- a model
    """Whether these rows are stored, and no others."""
    stored = {getattr(each, key): each for each in model.objects.filter(match=match_id)}
    require_equal(match_id, f"which {key}s there are", sorted(stored), sorted(each[key] for each in expected))
    for columns in expected:
        _compare_row(f"{key} {columns[key]}", match_id, stored[columns[key]], columns)


def _compare_row(where: str, match_id: str, stored: object, expected: Mapping[str, Any]) -> None:
    for name, value in expected.items():
        require_equal(match_id, f"{where}: {name}", _plain(getattr(stored, name)), _plain(value))


def _plain(value: Any) -> Any:  # noqa: ANN401 -- of any column
    """The deal of a round that has ended is no secret."""
    return value.reveal() if isinstance(value, Secret) else value


class Difference(Exception):
    """The first thing that is not as the log says."""

    def __init__(self, match_id: str, where: str) -> None:
        """Name the match and the place."""
        super().__init__(f"{match_id}: {where}")


def require_equal(match_id: str, where: str, stored: object, expected: object) -> None:
    """Raise unless two values are the same once written as JSON, as one of them was."""
    if _written(stored) != _written(expected):
        raise Difference(match_id, where)


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, cls=DjangoJSONEncoder)
