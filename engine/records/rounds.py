"""Replay one recorded round: every action by the rules, then who went out, the scores and the totals."""

from dataclasses import fields

from engine.cards.hand import mask_of
from engine.errors import Malformed, Refused
from engine.records.course import Course, after_round, check_seats
from engine.records.record import RecordedRound
from engine.records.verdict import Mistake
from engine.rounds.apply import apply
from engine.rounds.ending import score_round
from engine.rounds.state import RoundState, start_round
from engine.scoring.sheet import SeatScore


def replay_round(course: Course, played: RecordedRound, where: str) -> Course:
    """Return the match after this round, or unchanged if the round was cut short."""
    check_seats(course, played, where)
    state = _play(_start(course, played), played, where)
    if played.scores is None:
        _check_cut_short(course, state, played, where)
        return course
    if not state.is_over:
        raise Mistake(f"{where}/actions", "round_unfinished", "The round has scores, but it is not complete.")
    _check_out(state, played, where)
    scores = score_round(state)
    _check_scores(scores, played.scores, f"{where}/scores")
    totals = tuple(total + line.total for total, line in zip(course.totals, scores, strict=True))
    _check_totals(totals, played.totals, f"{where}/totals")
    return after_round(course, played, totals)


def _start(course: Course, played: RecordedRound) -> RoundState:
    return start_round(
        course.rules,
        number=played.number,
        dealer=played.dealer,
        leader=played.leader,
        dealt=tuple(mask_of(hand) for hand in played.hands),
        haggis=mask_of(played.haggis),
    )


def _play(state: RoundState, played: RecordedRound, where: str) -> RoundState:
    """Return the round after all actions; a refused action becomes a mistake with the refusal's code."""
    for index, recorded in enumerate(played.actions):
        try:
            state = apply(state, recorded.seat, recorded.action).state
        except (Refused, Malformed) as refusal:
            raise Mistake(f"{where}/actions/{index}", refusal.code, refusal.detail) from None
    return state


def _check_cut_short(course: Course, state: RoundState, played: RecordedRound, where: str) -> None:
    """Check that a round without scores is unfinished and leaves the totals unchanged or omits them."""
    if state.is_over:
        raise Mistake(f"{where}/scores", "wrong_scores", "The round is complete, so it must have scores.")
    _check_out(state, played, where)
    if played.totals is not None:
        _check_totals(course.totals, played.totals, f"{where}/totals")


def _check_out(state: RoundState, played: RecordedRound, where: str) -> None:
    out = state.position.out
    if played.out != out:
        raise Mistake(f"{where}/out", "wrong_out", f"The seats that went out, in order, are {list(out)}.")


def _check_scores(scores: tuple[SeatScore, ...], recorded: tuple[SeatScore, ...], where: str) -> None:
    """Compare every line, item by item."""
    for seat, (line, given) in enumerate(zip(scores, recorded, strict=True)):
        for item in fields(SeatScore):
            points = getattr(line, item.name)
            if getattr(given, item.name) != points:
                raise Mistake(
                    f"{where}/{seat}/{item.name}", "wrong_scores", f"By the rules this is {points}."
                )


def _check_totals(totals: tuple[int, ...], recorded: tuple[int, ...] | None, where: str) -> None:
    if recorded is None:
        raise Mistake(where, "wrong_totals", "The round is complete, so it must have totals.")
    for seat, (total, given) in enumerate(zip(totals, recorded, strict=True)):
        if given != total:
            raise Mistake(f"{where}/{seat}", "wrong_totals", f"The scores add up to {total}.")
