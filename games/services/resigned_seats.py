"""How a match ends that is broken off, and who wins where seats were given up: never one of those."""

from collections.abc import Sequence
from typing import Any

from games.matches.store import SeatRow
from games.models import Actor, EventType, SeatState

Form = dict[str, Any]


def without_resigned(result: Form, seats: Sequence[SeatRow]) -> Form:
    """The result of a match that was played out, with seats that were given up ranked last.

    Where an AI played such a seat to the most points, the best of the others win, several if they are equal;
    the reason says so, because by points alone it would have been otherwise.
    """
    if all(seats[winner].state != SeatState.RESIGNED for winner in result["winners"]):
        return result
    return {**result, "winners": best_of_the_rest(result["scores"], seats), "reason": "resigned"}


def rank_resigned_last(then: list[Form], seats: Sequence[SeatRow]) -> None:
    """Correct the result in what an action brought about."""
    for happening in then:
        if happening["type"] == "match_end":
            happening["result"] = without_resigned(happening["result"], seats)


def broken_off(event: str, by: str, scores: Sequence[int], seats: Sequence[SeatRow]) -> Form:
    """The result of a match that this event ends before its length is reached."""
    if event == EventType.ANNULLED:
        return {"winners": [], "scores": list(scores), "reason": "annulled"}
    reason = "forfeit" if by == Actor.CLOCK else "resigned"
    return {"winners": best_of_the_rest(scores, seats), "scores": list(scores), "reason": reason}


def best_of_the_rest(scores: Sequence[int], seats: Sequence[SeatRow]) -> list[int]:
    """The seats with the most points among those that were not given up."""
    staying = [seat.number for seat in seats if seat.state != SeatState.RESIGNED]
    most = max(scores[number] for number in staying)
    return [number for number in staying if scores[number] == most]
