"""Make the score sheet of a round: the points of each kind for every seat, and their sum."""

from dataclasses import dataclass
from typing import TypedDict

from engine.rulesets.model import TableRules
from engine.scoring.bets import bets
from engine.scoring.captured_cards import captured_cards
from engine.scoring.finished import FinishedRound
from engine.scoring.first_out_bonus import first_out_bonus
from engine.scoring.going_out import going_out


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScore:
    """One seat's line of the score sheet."""

    seat: int
    going_out: int
    first_out_bonus: int
    captured: int
    bets: int
    total: int


class SeatScoreJson(TypedDict):
    """The points of one seat in a round, by kind."""

    seat: int
    going_out: int
    first_out_bonus: int
    captured: int
    bets: int
    total: int


def serialize_score(line: SeatScore) -> SeatScoreJson:
    """Return a line of the score sheet as in records and logs."""
    return {
        "seat": line.seat,
        "going_out": line.going_out,
        "first_out_bonus": line.first_out_bonus,
        "captured": line.captured,
        "bets": line.bets,
        "total": line.total,
    }


def score_sheet(rules: TableRules, finished: FinishedRound) -> tuple[SeatScore, ...]:
    """Return what every seat scores in a round; bets come last since they can depend on the other points."""
    seats = range(finished.players)
    out = [going_out(finished, seat) for seat in seats]
    bonus = [first_out_bonus(rules, finished, seat) for seat in seats]
    captured = [captured_cards(rules, finished, seat) for seat in seats]
    points = [sum(each) for each in zip(out, bonus, captured, strict=True)]
    paid = bets(rules, finished, points)
    return tuple(
        SeatScore(
            seat=seat,
            going_out=out[seat],
            first_out_bonus=bonus[seat],
            captured=captured[seat],
            bets=paid[seat],
            total=points[seat] + paid[seat],
        )
        for seat in seats
    )
