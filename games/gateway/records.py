"""Build, verify and import portable records."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, NotRequired, TypedDict, cast

from engine.deals.deal import Deal
from engine.errors import Malformed
from engine.matches.state import start_match
from engine.records.agreement import length_of, rules_of
from engine.records.loading import load_record
from engine.records.notation import to_text
from engine.records.reading import read_record
from engine.records.record import FORMAT, Record
from engine.records.replay import replay
from engine.records.verdict import Wrong
from engine.records.writing import write_record
from engine.rulesets.catalogue import rule_set
from games.gateway.agreement import Agreement
from games.gateway.documents import (
    DealDocument,
    DealEvent,
    EntryEvent,
    EntryFields,
    LogEntry,
    RecordDocument,
    RecordedAction,
    RecordedRound,
    ResultDocument,
    RoundDocument,
    RoundEndEvent,
    SeatScoreJson,
)
from games.gateway.table import Table, abandoned_round_event, acting_seat, deal_event, match_end, parse_action

TURNS = ("play", "pass", "bet", "award")


class RecordHeader(NamedTuple):
    """The part of a record that does not depend on its rounds."""

    match_id: str
    ruleset: str
    ruleset_version: str
    options: dict[str, str]
    players: int
    target_score: int | None
    rounds_limit: int | None
    seats: list[str]
    anchor: str
    client_seeds: list[str]
    result: ResultDocument | None


def build_record(
    header: RecordHeader, rounds: Iterable[RoundDocument], entries: Iterable[LogEntry]
) -> RecordDocument:
    """Build the portable record of a match from its header, its ended rounds and the actions of its log."""
    turns: dict[int | None, list[RecordedAction]] = {}
    for entry in entries:
        turns.setdefault(entry["round"], []).append(_action(entry))
    return {
        "format": FORMAT,
        "match": header.match_id,
        "deal_id": header.match_id,
        "ruleset": header.ruleset,
        "ruleset_version": header.ruleset_version,
        "options": header.options,
        "players": header.players,
        "target_score": header.target_score,
        "rounds_limit": header.rounds_limit,
        "seats": header.seats,
        "anchor": header.anchor,
        "client_seeds": header.client_seeds,
        "rounds": [_round(each, turns.get(each["number"], [])) for each in rounds],
        "result": header.result,
    }


def _round(ended: RoundDocument, turns: list[RecordedAction]) -> RecordedRound:
    return {
        "number": ended["number"],
        "dealer": ended["dealer"],
        "leader": ended["leader"],
        "link": ended["link"],
        "hands": ended["hands"],
        "haggis": ended["haggis"],
        "actions": turns,
        "out": ended["out"],
        "scores": ended["scores"],
        "totals": ended["totals"],
    }


def _action(entry: LogEntry) -> RecordedAction:
    """Convert a log entry to an action, with the combination in the format of a request."""
    turn: RecordedAction = {"seat": acting_seat(entry), "type": entry["type"]}
    if entry["combination"] is not None:
        named = entry["combination"]
        turn["cards"] = entry["cards"] or []
        turn["as"] = {
            "kind": named["kind"],
            "top": named["top"],
            "width": named["width"],
            "length": named["length"],
        }
    elif entry["amount"] is not None:
        turn["amount"] = entry["amount"]
    elif entry["to"] is not None:
        turn["to"] = entry["to"]
    turn["by"] = entry["by"]
    turn["at"] = entry["at"]
    return turn


def record_text(record: RecordDocument) -> str:
    """Convert a record to readable notation."""
    return to_text(read_record(record))


class VerdictDocument(TypedDict):
    """The verdict on a record: valid, or the first error."""

    valid: bool
    deals: NotRequired[str]
    where: NotRequired[str]
    code: NotRequired[str]
    detail: NotRequired[str]


def verify_record(record: object) -> VerdictDocument:
    """Replay a record; return whether it is valid and its deals are proven, or the first error."""
    try:
        return cast("VerdictDocument", replay(read_record(record)).as_json())
    except Malformed as fault:
        return {"valid": False, "where": fault.where, "code": fault.code, "detail": fault.detail}


_AI: Final = "ai:"
_BY_POINTS: Final = frozenset({"target", "rounds"})


class ImportRefused(Exception):
    """Raised for a record that is malformed, invalid, or of an unfinished match."""


class ImportedRound(TypedDict):
    """The column values of a `Round` row; the later ones are set when the round ends."""

    number: int
    dealer: int | None
    leader: int
    deal: DealDocument
    first_version: int
    last_version: NotRequired[int]
    link: NotRequired[str]
    out: NotRequired[list[int]]
    scores: NotRequired[list[SeatScoreJson] | None]
    totals: NotRequired[list[int]]


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """A finished match to import. Entries may lack times."""

    agreement: Agreement
    table: Table
    entries: list[LogEntry]
    rounds: list[ImportedRound]
    result: ResultDocument


def parse_record(data: bytes) -> RecordDocument:
    """Parse a record in either format and return it as normalized JSON."""
    try:
        return cast("RecordDocument", write_record(load_record(data)))
    except Malformed as fault:
        raise ImportRefused(_error_message(fault.where, fault.detail)) from None


def read_match(data: RecordDocument) -> ImportedMatch:
    """Return the match of a record; raise `ImportRefused` unless it is valid and finished."""
    try:
        record = read_record(data)
    except Malformed as fault:
        raise ImportRefused(_error_message(fault.where, fault.detail)) from None
    verdict = replay(record)
    if isinstance(verdict, Wrong):
        raise ImportRefused(_error_message(verdict.where, verdict.detail))
    if not record.rounds:
        raise ImportRefused("The match has not begun.")
    return _RecordImporter(record, data).build()


def _error_message(where: str, detail: str) -> str:
    return f"{where}: {detail}" if where else detail


def parse_ai_level(name: str) -> str:
    """Return the level of an AI seat from its name in a record, or an empty string for other names.

    >>> parse_ai_level("ai:hard"), parse_ai_level("heather")
    ('hard', '')
    """
    return name.removeprefix(_AI) if name.startswith(_AI) else ""


class _RecordImporter:
    """Convert a record to log entries and rounds in one pass."""

    def __init__(self, record: Record, data: RecordDocument) -> None:
        self._record = record
        self._data = data
        self._entries: list[LogEntry] = []
        self._rounds: list[ImportedRound] = []
        self._result: ResultDocument | None = None
        first = record.rounds[0]
        rules = rules_of(record)
        self._agreement = Agreement(
            ruleset=record.ruleset,
            ruleset_version=record.ruleset_version or rule_set(record.ruleset).version,
            options=tuple(rules.options.items()),
            players=record.players,
            target_score=record.target_score,
            rounds_limit=record.rounds_limit,
        )
        drawn = first.leader if first.dealer is None else first.dealer
        self._table = Table(start_match(rules, length_of(record), first_seat=drawn, dealing=self._deal_round))

    def build(self) -> ImportedMatch:
        """Return the imported match."""
        self._append_entry("started", None, then=[self._begin_round()])
        for played in self._data["rounds"]:
            for action in played["actions"]:
                self._act(played, action)
        result = self._result or self._abandon(self._data["rounds"][-1])
        return ImportedMatch(self._agreement, self._table, self._entries, self._rounds, result)

    def _deal_round(self, number: int) -> Deal:
        """Return the deal of a round; raise `ImportRefused` after the last recorded round."""
        if number > len(self._record.rounds):
            raise ImportRefused("The match is not finished, or was abandoned between two rounds.")
        played = self._record.rounds[number - 1]
        return Deal(hands=played.hands, haggis=played.haggis)

    def _begin_round(self) -> DealEvent:
        """Add a round, which the next entry deals, and return its deal event."""
        table = self._table
        self._rounds.append(
            {
                "number": table.round_number,
                "dealer": table.dealer,
                "leader": table.leader,
                "deal": table.deal_to_json(),
                "first_version": len(self._entries) + 1,
            }
        )
        return deal_event(table.round_number, table.dealer, table.leader)

    def _act(self, played: RecordedRound, action: RecordedAction) -> None:
        outcome = self._table.act(action["seat"], parse_action(action), self._deal_round)
        self._table = outcome.table
        for event in outcome.events:
            if event["type"] == "round_end":
                self._end_round(event, played["link"])
            elif event["type"] == "deal":
                self._begin_round()
            elif event["type"] == "match_end":
                self._result = event["result"] = self._final_result(event["result"])
        self._append_entry(
            action["type"],
            action["seat"],
            by=action.get("by"),
            at=action.get("at"),
            round_number=played["number"],
            action_fields=outcome.action_fields,
            then=outcome.events,
        )

    def _final_result(self, by_points: ResultDocument) -> ResultDocument:
        """Return the result by points, or the recorded result if a player had resigned."""
        recorded = self._data["result"]
        return by_points if recorded is None or recorded["reason"] in _BY_POINTS else recorded.copy()

    def _end_round(self, ended: RoundEndEvent, link: str | None) -> None:
        ended["link"] = link
        current = self._rounds[-1]
        current["last_version"] = len(self._entries) + 1
        current["link"] = link or ""
        current["out"] = ended["out"]
        current["scores"] = ended["scores"]
        current["totals"] = ended["totals"]

    def _abandon(self, played: RecordedRound) -> ResultDocument:
        """Append the entries of an abandoned match, ended by the last player to resign; return its result."""
        result = self._data["result"]
        if result is None:
            raise ImportRefused("The match is not finished.")
        self._result = result.copy()
        resigned = [seat for seat in range(self._record.players) if seat not in result["winners"]]
        annulled = result["reason"] == "annulled"
        by = "clock" if result["reason"] == "forfeit" else "player"
        for seat in [] if annulled else resigned[:-1]:
            self._append_entry("resigned", seat, by=by, round_number=played["number"])
        ended = abandoned_round_event(self._table, "")
        self._end_round(ended, played["link"])
        self._append_entry(
            "annulled" if annulled else "resigned",
            None if annulled else resigned[-1],
            by=by,
            round_number=played["number"],
            then=[ended, match_end(self._result)],
        )
        return self._result

    def _append_entry(  # noqa: PLR0913 -- the parts of an entry
        self,
        event: str,
        seat: int | None,
        *,
        by: str | None = None,
        at: str | None = None,
        round_number: int | None = None,
        action_fields: EntryFields | None = None,
        then: list[EntryEvent] | None = None,
    ) -> None:
        fields = action_fields or {}
        to_act = None if self._result is not None else self._table.to_act
        self._entries.append(
            {
                "version": len(self._entries) + 1,
                "round": self._rounds[0]["number"] if not self._entries else round_number,
                "seat": seat,
                "type": event,
                "cards": fields.get("cards"),
                "combination": fields.get("combination"),
                "wilds": fields.get("wilds"),
                "amount": fields.get("amount"),
                "to": fields.get("to"),
                "by": by or "player",
                "at": at,
                "then": then or [],
                "next": {
                    "to_act": to_act,
                    "expects": None if to_act is None else self._table.expects,
                    "deadline": None,
                },
            }
        )
