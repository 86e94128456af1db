"""What an action brought about, in the form of the log's `then`. Everything in it is public."""

from dataclasses import asdict
from typing import Any, assert_never

from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.rounds.events import Out, TrickEnd
from engine.views.serialization import serialize_cards

Form = dict[str, Any]


def happening_form(happening: MatchEvent) -> Form:
    """One thing that happened. The link of a round that ended is added by who holds the chain."""
    match happening:
        case Out():
            return {"type": "out", "seat": happening.seat}
        case TrickEnd():
            return {
                "type": "trick_end",
                "winner": happening.winner,
                "captured_by": happening.captured_by,
            }
        case RoundEnd():
            return _round_end(happening)
        case Dealt():
            return deal_event(happening.number, happening.dealer, happening.leader)
        case MatchEnd():
            result = happening.result
            return match_end(
                {
                    "winners": list(result.winners),
                    "scores": list(result.scores),
                    "reason": result.reason.value,
                }
            )
        case _:
            assert_never(happening)


def _round_end(ended: RoundEnd) -> Form:
    return {
        "type": "round_end",
        "number": ended.number,
        "out": list(ended.out),
        "scores": [asdict(line) for line in ended.scores],
        "totals": list(ended.totals),
        "hands": [serialize_cards(hand) for hand in ended.hands],
        "haggis": serialize_cards(ended.haggis),
        "link": "",
    }


def deal_event(number: int, dealer: int | None, leader: int) -> Form:
    """The next round is dealt."""
    return {"type": "deal", "number": number, "dealer": dealer, "leader": leader}


def match_end(result: Form) -> Form:
    """The match is over."""
    return {"type": "match_end", "result": result}
