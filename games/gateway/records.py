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
from games.gateway.agreement import Agreement
from games.gateway.table import Table, abandoned_round_event, deal_event, match_end, parse_action

Form = dict[str, Any]

TURNS = ("play", "pass", "bet", "award")


def build_record(match: Form, rounds: Iterable[Form], entries: Iterable[Form]) -> Form:
    """The portable record of a match: its agreement, the rounds that ended, their turns from the log."""
    turns: dict[int, list[Form]] = {}
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


def _round(ended: Form, turns: list[Form]) -> Form:
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


def _action(entry: Form) -> Form:
    """One action: what the log says of it, with the combination as it is named in an action."""
    turn: Form = {"seat": entry["seat"], "type": entry["type"]}
    if entry["type"] == "play":
        named = {name: entry["combination"][name] for name in ("kind", "top", "width", "length")}
        turn |= {"cards": entry["cards"], "as": named}
    elif entry["type"] == "bet":
        turn["amount"] = entry["amount"]
    elif entry["type"] == "award":
        turn["to"] = entry["to"]
    return {**turn, "by": entry["by"], "at": entry["at"]}


def record_text(record: Form) -> str:
    """The same record in readable notation."""
    return to_text(read_record(record))


def verify_record(record: Mapping[str, Any]) -> Form:
    """Whether a record is right, and its deals proven; or the first thing that is wrong."""
    try:
        return replay(read_record(record)).as_json()
    except Malformed as fault:
        return {"valid": False, "where": fault.where, "code": fault.code, "detail": fault.detail}


_AI: Final = "ai:"
_BY_POINTS: Final = frozenset({"target", "rounds"})
_NO_ACTION_FIELDS: Final[Form] = {
    "cards": None,
    "combination": None,
    "wilds": None,
    "amount": None,
    "to": None,
}


class ImportRefused(Exception):
    """The record cannot be read, is wrong, or is of a match that is not over."""


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """A whole match. Entries have no time where the record has none; `rounds` are the columns of rows."""

    agreement: Agreement
    table: Table
    entries: list[Form]
    rounds: list[Form]
    result: Form


def parse_record(data: bytes) -> Form:
    """The record in these bytes as a JSON value, written in one way."""
    try:
        return write_record(load_record(data))
    except Malformed as fault:
        raise ImportRefused(_error_message(fault.where, fault.detail)) from None


def read_match(form: Mapping[str, Any]) -> ImportedMatch:
    """The match of a record that is right, and over."""
    try:
        record = read_record(form)
    except Malformed as fault:
        raise ImportRefused(_error_message(fault.where, fault.detail)) from None
    verdict = replay(record)
    if isinstance(verdict, Wrong):
        raise ImportRefused(_error_message(verdict.where, verdict.detail))
    if not record.rounds:
        raise ImportRefused("The match has not begun.")
    return _RecordImporter(record, form).told()


def _error_message(where: str, detail: str) -> str:
    return f"{where}: {detail}" if where else detail


def parse_ai_level(name: str) -> str:
    """The level of an AI seat by the name that records have for it; nothing for anybody else.

    >>> level_of("ai:hard"), level_of("heather")
    ('hard', '')
    """
    return name.removeprefix(_AI) if name.startswith(_AI) else ""


class _RecordImporter:
    """Goes through a record once, and notes what the log would say."""

    def __init__(self, record: Record, form: Mapping[str, Any]) -> None:
        self._record = record
        self._form = form
        self._entries: list[Form] = []
        self._rounds: list[Form] = []
        self._result: Form | None = None
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
        self._table = Table(start_match(rules, length_of(record), first_seat=drawn, dealing=self._dealt))

    def told(self) -> ImportedMatch:
        """The whole of it."""
        self._note("started", None, then=[self._begin()])
        for played in self._form["rounds"]:
            for action in played["actions"]:
                self._act(played, action)
        if self._result is None:
            self._break_off(self._form["rounds"][-1])
        return ImportedMatch(self._agreement, self._table, self._entries, self._rounds, self._result or {})

    def _dealt(self, number: int) -> Deal:
        """The deal of a round; there is none beyond the last."""
        if number > len(self._record.rounds):
            raise ImportRefused("The match is not over, or was broken off between two rounds.")
        played = self._record.rounds[number - 1]
        return Deal(hands=played.hands, haggis=played.haggis)

    def _begin(self) -> Form:
        """A round is dealt, by the entry that is noted next."""
        table = self._table
        self._rounds.append(
            {
                "number": table.round_number,
                "dealer": table.dealer,
                "leader": table.leader,
                "deal": table.deal_form(),
                "first_version": len(self._entries) + 1,
            }
        )
        return deal_event(table.round_number, table.dealer, table.leader)

    def _act(self, played: Form, action: Form) -> None:
        outcome = self._table.act(action["seat"], parse_action(action), self._dealt)
        self._table = outcome.table
        for happening in outcome.then:
            if happening["type"] == "round_end":
                self._end_round(happening, played["link"])
            elif happening["type"] == "deal":
                self._begin()
            elif happening["type"] == "match_end":
                self._result = happening["result"] = self._ended(happening["result"])
        said = {**outcome.said, "by": action.get("by"), "at": action.get("at"), "round": played["number"]}
        self._note(action["type"], action["seat"], then=outcome.then, **said)

    def _ended(self, by_points: Form) -> Form:
        """How it ended: by points, or where a seat had been given up, as the record says."""
        recorded: Form | None = self._form["result"]
        return by_points if recorded is None or recorded["reason"] in _BY_POINTS else dict(recorded)

    def _end_round(self, ended: Form, link: str | None) -> None:
        ended["link"] = link
        parts = {name: ended[name] for name in ("out", "scores", "totals")}
        self._rounds[-1] |= {"last_version": len(self._entries) + 1, "link": link or "", **parts}

    def _break_off(self, played: Form) -> None:
        """The end of a match that was not played out: who lost it by leaving, the last of them ends it."""
        result: Form | None = self._form["result"]
        if result is None:
            raise ImportRefused("The match is not over.")
        self._result = dict(result)
        gone = [seat for seat in range(self._record.players) if seat not in result["winners"]]
        annulled = result["reason"] == "annulled"
        for seat in [] if annulled else gone[:-1]:
            self._note("resigned", seat, **_resignation_fields(result, played))
        ended = abandoned_round_event(self._table, "")
        self._end_round(ended, played["link"])
        self._note(
            "annulled" if annulled else "resigned",
            None if annulled else gone[-1],
            then=[ended, match_end(self._result)],
            **_resignation_fields(result, played),
        )

    def _note(self, event: str, seat: int | None, *, then: list[Form] | None = None, **said: Any) -> None:  # noqa: ANN401 -- parts of an entry
        to_act = None if self._result is not None else self._table.to_act
        self._entries.append(
            {
                "version": len(self._entries) + 1,
                "round": self._rounds[0]["number"] if not self._entries else None,
                "seat": seat,
                "type": event,
                **_NO_ACTION_FIELDS,
                **said,
                "by": said.get("by") or "player",
                "at": said.get("at"),
                "then": then or [],
                "next": {
                    "to_act": to_act,
                    "expects": None if to_act is None else self._table.expects,
                    "deadline": None,
                },
            }
        )


def _resignation_fields(result: Form, played: Form) -> Form:
    """What the log says of a seat that was given up, by its player or by the clock."""
    return {"by": "clock" if result["reason"] == "forfeit" else "player", "round": played["number"]}
