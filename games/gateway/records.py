"""Records of matches, written from the log and checked by the engine."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.errors import Malformed
from engine.records.notation import to_text
from engine.records.reading import read_record
from engine.records.record import FORMAT
from engine.records.replay import replay

Form = dict[str, Any]

TURNS = ("play", "pass", "bet", "award")


def record_form(match: Form, rounds: Iterable[Form], entries: Iterable[Form]) -> Form:
    """The portable record of a match: its agreement, the rounds that ended, their turns from the log."""
    turns: dict[int, list[Form]] = {}
    for entry in entries:
        turns.setdefault(entry["round"], []).append(_turn(entry))
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


def _turn(entry: Form) -> Form:
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
