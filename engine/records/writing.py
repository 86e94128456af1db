"""Write a record as JSON, with fields in the published order.

Unknown values of the match or a round are null. For an action they are omitted, since there are many actions.
"""

from typing import Any, assert_never

from engine.combinations.ambiguity import Named
from engine.records.record import FORMAT, Record, RecordedAction, RecordedResult, RecordedRound
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.scoring.sheet import serialize_score

JsonObject = dict[str, Any]


def write_record(record: Record) -> JsonObject:
    """Return the record as a JSON value that `read_record` reads back."""
    return {
        "format": FORMAT,
        "match": record.match,
        "deal_id": record.deal_id,
        "ruleset": record.ruleset,
        "ruleset_version": record.ruleset_version,
        "options": dict(record.options),
        "players": record.players,
        "target_score": record.target_score,
        "rounds_limit": record.rounds_limit,
        "seats": list(record.seats),
        "anchor": record.anchor,
        "client_seeds": None if record.client_seeds is None else list(record.client_seeds),
        "rounds": [_round(each) for each in record.rounds],
        "result": None if record.result is None else _result(record.result),
    }


def _round(played: RecordedRound) -> JsonObject:
    return {
        "number": played.number,
        "dealer": played.dealer,
        "leader": played.leader,
        "link": played.link,
        "hands": [[str(card) for card in hand] for hand in played.hands],
        "haggis": [str(card) for card in played.haggis],
        "actions": [_action(each) for each in played.actions],
        "out": list(played.out),
        "scores": None if played.scores is None else [serialize_score(line) for line in played.scores],
        "totals": None if played.totals is None else list(played.totals),
    }


def _action(recorded: RecordedAction) -> JsonObject:
    written = {"seat": recorded.seat, **_action_fields(recorded.action)}
    if recorded.by is not None:
        written["by"] = recorded.by.value
    if recorded.at is not None:
        written["at"] = recorded.at
    return written


def _action_fields(action: Action) -> JsonObject:
    match action:
        case Play():
            named = write_named(action.named)
            cards = [str(card) for card in action.cards]
            return {"type": "play", "cards": cards} | ({"as": named} if named else {})
        case Pass():
            return {"type": "pass"}
        case Bet():
            return {"type": "bet", "amount": action.amount}
        case Award():
            return {"type": "award", "to": action.to}
        case _:
            assert_never(action)


def write_named(named: Named) -> JsonObject:
    """Return the named parts of the combination."""
    parts = {
        "kind": None if named.kind is None else named.kind.value,
        "top": named.top,
        "width": named.width,
        "length": named.length,
    }
    return {name: part for name, part in parts.items() if part is not None}


def _result(result: RecordedResult) -> JsonObject:
    return {"winners": list(result.winners), "scores": list(result.scores), "reason": result.reason.value}
