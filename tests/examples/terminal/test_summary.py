from engine.scoring.sheet import SeatScore
from examples.terminal.paint import Paint
from examples.terminal.summary import score_sheet


def line_of(seat: int, *, bets: int) -> SeatScore:
    return SeatScore(seat=seat, going_out=25, first_out_bonus=0, captured=7, bets=bets, total=32 + bets)


def items(*bets: int) -> list[str]:
    scores = tuple(line_of(seat, bets=each) for seat, each in enumerate(bets))
    return [line.split("  ")[1] for line in score_sheet(scores, ("You", "Morag"), Paint())[1:]]


def test_score_sheet_has_a_line_per_scored_item() -> None:
    assert items(0, 0) == ["going out", "captured cards", "total"]
    assert items(0, 15) == ["going out", "captured cards", "bets", "total"]
