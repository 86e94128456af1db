"""Build, verify and import portable records."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

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
from games.core.json_types import JsonObject
from games.gateway.agreement import Agreement
from games.gateway.table import Table, abandoned_round_event, deal_event, match_end, parse_action

TURNS = ("play", "pass", "bet", "award")


def build_record(
    match: JsonObject, rounds: Iterable[JsonObject], entries: Iterable[JsonObject]
) -> JsonObject:
    """Build the portable record of a match from its agreement, its ended rounds and its log."""
    turns: dict[int, list[JsonObject]] = {}
    for entry in entries:
        turns.setdefault(entry["round"], []).append(_action(entry))
    return {
        "format": FORMAT,
        "match": match["id"],
        "deal_id": match["id"],
        "ruleset": match["ruleset"],
        "ruleset_version": match["ruleset_version"],
        "options": match["options"],
        "players": match["players"],
        "target_score": match["target_score"],
        "rounds_limit": match["rounds"],
        "seats": match["names"],
        "anchor": match["anchor"],
        "client_seeds": match["client_seeds"],
        "rounds": [_round(each, turns.get(each["number"], [])) for each in rounds],
        "result": match["result"],
    }


def _round(ended: JsonObject, turns: list[JsonObject]) -> JsonObject:
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


def _action(entry: JsonObject) -> JsonObject:
    """Convert a log entry to an action, with the combination in the format of a request."""
    turn: JsonObject = {"seat": entry["seat"], "type": entry["type"]}
    if entry["type"] == "play":
        named = {name: entry["combination"][name] for name in ("kind", "top", "width", "length")}
        turn |= {"cards": entry["cards"], "as": named}
    elif entry["type"] == "bet":
        turn["amount"] = entry["amount"]
    elif entry["type"] == "award":
        turn["to"] = entry["to"]
    return {**turn, "by": entry["by"], "at": entry["at"]}


def record_text(record: JsonObject) -> str:
    """Convert a record to readable notation."""
    return to_text(read_record(record))


def verify_record(record: Mapping[str, Any]) -> JsonObject:
    """Replay a record; return whether it is valid and its deals are proven, or the first error."""
    try:
        return replay(read_record(record)).as_json()
    except Malformed as fault:
        return {"valid": False, "where": fault.where, "code": fault.code, "detail": fault.detail}


_AI: Final = "ai:"
_BY_POINTS: Final = frozenset({"target", "rounds"})
_NO_ACTION_FIELDS: Final[JsonObject] = {
    "cards": None,
    "combination": None,
    "wilds": None,
    "amount": None,
    "to": None,
}


class ImportRefused(Exception):
    """Raised for a record that is malformed, invalid, or of an unfinished match."""


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """A finished match to import. Entries may lack times; `rounds` has the column values of `Round` rows."""

    agreement: Agreement
    table: Table
    entries: list[JsonObject]
    rounds: list[JsonObject]
    result: JsonObject


def parse_record(data: bytes) -> JsonObject:
    """Parse a record in either format and return it as normalized JSON."""
    try:
        return write_record(load_record(data))
    except Malformed as fault:
        raise ImportRefused(_error_message(fault.where, fault.detail)) from None


def read_match(data: Mapping[str, Any]) -> ImportedMatch:
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

    def __init__(self, record: Record, data: Mapping[str, Any]) -> None:
        self._record = record
        self._data = data
        self._entries: list[JsonObject] = []
        self._rounds: list[JsonObject] = []
        self._result: JsonObject | None = None
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
        if self._result is None:
            self._abandon(self._data["rounds"][-1])
        return ImportedMatch(self._agreement, self._table, self._entries, self._rounds, self._result or {})

    def _deal_round(self, number: int) -> Deal:
        """Return the deal of a round; raise `ImportRefused` after the last recorded round."""
        if number > len(self._record.rounds):
            raise ImportRefused("The match is not finished, or was abandoned between two rounds.")
        played = self._record.rounds[number - 1]
        return Deal(hands=played.hands, haggis=played.haggis)

    def _begin_round(self) -> JsonObject:
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

    def _act(self, played: JsonObject, action: JsonObject) -> None:
        outcome = self._table.act(action["seat"], parse_action(action), self._deal_round)
        self._table = outcome.table
        for event in outcome.events:
            if event["type"] == "round_end":
                self._end_round(event, played["link"])
            elif event["type"] == "deal":
                self._begin_round()
            elif event["type"] == "match_end":
                self._result = event["result"] = self._final_result(event["result"])
        fields = {
            **outcome.action_fields,
            "by": action.get("by"),
            "at": action.get("at"),
            "round": played["number"],
        }
        self._append_entry(action["type"], action["seat"], then=outcome.events, **fields)

    def _final_result(self, by_points: JsonObject) -> JsonObject:
        """Return the result by points, or the recorded result if a player had resigned."""
        recorded: JsonObject | None = self._data["result"]
        return by_points if recorded is None or recorded["reason"] in _BY_POINTS else dict(recorded)

    def _end_round(self, ended: JsonObject, link: str | None) -> None:
        ended["link"] = link
        parts = {name: ended[name] for name in ("out", "scores", "totals")}
        self._rounds[-1] |= {"last_version": len(self._entries) + 1, "link": link or "", **parts}

    def _abandon(self, played: JsonObject) -> None:
        """Append the entries of an abandoned match: the last player to resign ends it."""
        result: JsonObject | None = self._data["result"]
        if result is None:
            raise ImportRefused("The match is not finished.")
        self._result = dict(result)
        resigned = [seat for seat in range(self._record.players) if seat not in result["winners"]]
        annulled = result["reason"] == "annulled"
        for seat in [] if annulled else resigned[:-1]:
            self._append_entry("resigned", seat, **_resignation_fields(result, played))
        ended = abandoned_round_event(self._table, "")
        self._end_round(ended, played["link"])
        self._append_entry(
            "annulled" if annulled else "resigned",
            None if annulled else resigned[-1],
            then=[ended, match_end(self._result)],
            **_resignation_fields(result, played),
        )

    def _append_entry(
        self,
        event: str,
        seat: int | None,
        *,
        then: list[JsonObject] | None = None,
        **fields: Any,  # noqa: ANN401 -- members of an entry
    ) -> None:
        to_act = None if self._result is not None else self._table.to_act
        self._entries.append(
            {
                "version": len(self._entries) + 1,
                "round": self._rounds[0]["number"] if not self._entries else None,
                "seat": seat,
                "type": event,
                **_NO_ACTION_FIELDS,
                **fields,
                "by": fields.get("by") or "player",
                "at": fields.get("at"),
                "then": then or [],
                "next": {
                    "to_act": to_act,
                    "expects": None if to_act is None else self._table.expects,
                    "deadline": None,
                },
            }
        )


def _resignation_fields(result: JsonObject, played: JsonObject) -> JsonObject:
    """Return the log fields of a resignation, by the player or by the clock."""
    return {"by": "clock" if result["reason"] == "forfeit" else "player", "round": played["number"]}
