"""Rendering of the table as coloured text."""

from typing import Final

from haggis_client import models as m
from rich.text import Text

COLOURS: Final = {"r": "red", "o": "dark_orange", "y": "yellow", "g": "green", "b": "blue"}
FACE: Final = "magenta"


def card(code: str, *, style: str = "") -> Text:
    """Return a card in the colour of its suit."""
    return Text(code, style=f"{COLOURS.get(code[1:], FACE)} {style}".strip())


def cards(codes: list[str]) -> Text:
    """Return cards in a row."""
    return Text(" ").join(card(code) for code in codes)


def hand(codes: list[str], selected: set[str], cursor: int) -> Text:
    """Return the hand with selected cards highlighted and the cursor underlined."""
    rendered = []
    for index, code in enumerate(codes):
        style = " ".join(["reverse"] * (code in selected) + ["underline bold"] * (index == cursor))
        rendered.append(card(code, style=style))
    return Text("  ").join(rendered)


def table(current: m.Table) -> Text:
    """Return the players with their cards and points, and the trick."""
    lines = [_seat(current, seat) for seat in current.seats]
    if current.round_ is not None:
        lines += [Text(""), *(_turn(turn) for turn in current.round_.trick)]
    if current.result is not None and not isinstance(current.result, str):
        lines += [Text(""), Text(f"The match is over: {current.result.scores}", style="bold")]
    return Text("\n").join(lines)


def _seat(current: m.Table, seat: m.Seat) -> Text:
    name = seat.player.username if seat.player is not None else f"AI {seat.level}"
    line = Text(f"{seat.seat} {name[:20]:20} {seat.score:4} points  ")
    if current.round_ is not None:
        visible = current.round_.hands[seat.seat]
        line += Text(f"{visible.count:2} cards  ") + cards(visible.faces)
        if current.round_.to_act == seat.seat:
            line += Text("  to act", style="bold")
    return line


def _turn(turn: m.Turn) -> Text:
    line = Text(f"{turn.seat}  ")
    if turn.cards is None or turn.combination is None:
        return line + Text("passes", style="dim")
    return line + cards(turn.cards) + Text(f"  {turn.combination.text}", style="dim")


def reading(number: int, choice: m.Reading) -> Text:
    """Return one line for a combination that the selected cards can be."""
    style = "" if choice.playable else "dim"
    why = "" if choice.playable else f"  ({choice.rule})"
    return Text(f"{number}  {choice.combination.text}{why}", style=style)
