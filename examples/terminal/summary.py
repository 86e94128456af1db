"""The end of a round: the score sheet and the complete deal."""

from engine.scoring.sheet import SeatScore
from engine.views.referee_view import RefereeView
from examples.terminal.paint import Paint

Names = tuple[str, ...]

ITEMS = {
    "going out": "going_out",
    "first out": "first_out_bonus",
    "captured cards": "captured",
    "bets": "bets",
    "total": "total",
}


def summary(view: RefereeView, names: Names, paint: Paint) -> str:
    """Return the score sheet and the deal."""
    return "\n".join([*score_sheet(view.scores, names, paint), "", *deal(view, names, paint)])


def score_sheet(scores: tuple[SeatScore, ...], names: Names, paint: Paint) -> list[str]:
    """Return a column per player and a line per item that anyone scored, with the total last."""
    head = " " * 16 + "".join(f"{name:>9}" for name in names)
    lines = [paint.bold(head)]
    for item, field in ITEMS.items():
        points: list[int] = [getattr(score, field) for score in scores]
        if any(points) or item == "total":
            line = f"  {item:14}" + "".join(f"{each:9}" for each in points)
            lines.append(paint.bold(line) if item == "total" else line)
    return lines


def deal(view: RefereeView, names: Names, paint: Paint) -> list[str]:
    """Return every hand as it was dealt, and the haggis."""
    width = max(len("haggis"), *map(len, names))
    piles = [*zip(names, view.hands, strict=True), ("haggis", view.haggis)]
    return ["  The deal:", *(f"  {name.ljust(width)}  {paint.cards(cards)}" for name, cards in piles)]
