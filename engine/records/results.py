"""Check the recorded result of a match against what its rounds led to.

Points decide a match that was played to its end. If a match was broken off, or if an AI played on for a seat
that resigned, the record does not say whose seat that was, so only what holds in any case is checked.
"""

from engine.matches.ending import winners
from engine.records.course import Course
from engine.records.record import Ending, RecordedResult
from engine.records.verdict import Mistake


def check_result(course: Course, result: RecordedResult) -> None:
    """Check that the reason fits the match, that the scores are the totals, and that the winners won."""
    _check_reason(course, result.reason)
    for seat, (total, given) in enumerate(zip(course.totals, result.scores, strict=True)):
        if given != total:
            raise Mistake(
                f"/result/scores/{seat}", "wrong_result", f"The match ended with {total} points here."
            )
    error = _winners_error(course, result)
    if error:
        raise Mistake("/result/winners", "wrong_result", error)


def _check_reason(course: Course, reason: Ending) -> None:
    """Check that points are given as the reason exactly if the length is reached and one player leads."""
    by_points = Ending.ROUNDS if course.length.target is None else Ending.TARGET
    if reason.is_played_out and reason is not by_points:
        raise Mistake("/result/reason", "wrong_result", f"This match should have ended by {by_points}.")
    if reason.is_played_out and not course.is_over:
        raise Mistake("/result/reason", "match_not_over", "The match was not over.")
    if reason in {Ending.RESIGNED, Ending.FORFEIT} and course.is_over and course.rules.players == 2:
        detail = "The match was played to its end, so nobody lost it by leaving."
        raise Mistake("/result/reason", "wrong_result", detail)


def _winners_error(course: Course, result: RecordedResult) -> str:
    """Return what is wrong with the winners, or an empty text."""
    if result.reason.is_played_out:
        won = winners(course.totals)
        return "" if result.winners == won else f"Seat {won[0]} has the most points."
    if result.reason is Ending.ANNULLED:
        return "Nobody wins a match that is annulled." if result.winners else ""
    if not 0 < len(result.winners) < course.rules.players:
        return "When a seat is given up, some of the other seats win, but not all seats."
    if len({course.totals[seat] for seat in result.winners}) > 1:
        return "Joint winners must have equal points."
    return ""
