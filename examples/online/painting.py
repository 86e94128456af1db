"""The table in words and colours, for the terminal."""

from typing import Final

from haggis_client import models as m
from rich.text import Text

COLOURS: Final = {"r": "red", "o": "dark_orange", "y": "yellow", "g": "green", "b": "blue"}
FACE: Final = "magenta"


def card(code: str, *, style: str = "") -> Text:
    """A card in the colour of its suit."""
    return Text(code, style=f"{COLOURS.get(code[1:], FACE)} {style}".strip())


def cards(codes: list[str]) -> Text:
    """Cards in a row."""
    return Text(" ").join(card(code) for code in codes)


def hand(codes: list[str], chosen: set[str], cursor: int) -> Text:
    """One's hand: what is chosen stands out, the cursor is underlined."""
    shown = []
    for place, code in enumerate(codes):
        style = " ".join(["reverse"] * (code in chosen) + ["underline bold"] * (place == cursor))
        shown.append(card(code, style=style))
    return Text("  ").join(shown)


def table(now: m.Table) -> Text:
    """Everybody's count and points, and the trick."""
    lines = [_seat(now, seat) for seat in now.seats]
    if now.round_ is not None:
        lines += [Text(""), *(_turn(turn) for turn in now.round_.trick)]
    if now.result is not None and not isinstance(now.result, str):
        lines += [Text(""), Text(f"The match is over: {now.result.scores}", style="bold")]
    return Text("\n").join(lines)


def _seat(now: m.Table, seat: m.Seat) -> Text:
    name = seat.player.username if seat.player is not None else f"AI {seat.level}"
    line = Text(f"{seat.seat} {name[:20]:20} {seat.score:4} points  ")
    if now.round_ is not None:
        held = now.round_.hands[seat.seat]
        line += Text(f"{held.count:2} cards  ") + cards(held.faces)
        if now.round_.to_act == seat.seat:
            line += Text("  to act", style="bold")
    return line


def _turn(turn: m.Turn) -> Text:
    line = Text(f"{turn.seat}  ")
    if turn.cards is None or turn.combination is None:
        return line + Text("passes", style="dim")
    return line + cards(turn.cards) + Text(f"  {turn.combination.text}", style="dim")


def reading(number: int, each: m.Reading) -> Text:
    """One thing that the chosen cards can be."""
    style = "" if each.playable else "dim"
    why = "" if each.playable else f"  ({each.rule})"
    return Text(f"{number}  {each.combination.text}{why}", style=style)
