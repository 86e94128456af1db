"""The terminal app: `PYTHONPATH=clients/python python -m examples.online URL`.

Arrows move the cursor along the hand, space selects a card, a digit or enter plays the selected cards, p
passes, b bets, h shows legal plays, q quits.
"""

from collections.abc import Callable
from typing import ClassVar, Final

from haggis_client import models as m
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Header, Static

from examples.online import rendering
from examples.online.seat import Refused, Seat

REFRESH_SECONDS: Final = 0.5
MAX_HINTS: Final = 12


class Terminal(App[None]):
    """A match in the terminal."""

    TITLE = "Haggis"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "Left", show=False),
        Binding("right", "move(1)", "Right", show=False),
        Binding("space", "choose", "Choose"),
        Binding("enter", "play(0)", "Play"),
        *(Binding(str(number), f"play({number})", show=False) for number in range(1, 10)),
        Binding("p", "pass", "Pass"),
        Binding("b", "bet", "Bet 15"),
        Binding("h", "hint", "Hint"),
        Binding("q", "quit", "Leave"),
    ]

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat
        self.cursor = 0
        self.selected: set[str] = set()
        self.readings: list[m.Reading] = []

    def compose(self) -> ComposeResult:
        """Yield the widgets: the table, the hand, the readings of the selected cards and the last message."""
        yield Header()
        yield Static(id="table")
        yield Static(id="hand")
        yield Static(id="readings")
        yield Static(id="said")
        yield Footer()

    def on_mount(self) -> None:
        """Show the table and poll the server."""
        self.show()
        self.set_interval(REFRESH_SECONDS, self.poll)

    def poll(self) -> None:
        """Show what others have done."""
        if self.seat.refresh():
            self.show()

    def show(self) -> None:
        """Update all widgets."""
        hand = self.seat.hand
        self.selected &= set(hand)
        self.cursor = min(self.cursor, max(0, len(hand) - 1))
        lines = [rendering.reading(number, each) for number, each in enumerate(self.readings, 1)]
        self.query_one("#table", Static).update(rendering.table(self.seat.table))
        self.query_one("#hand", Static).update(rendering.hand(hand, self.selected, self.cursor))
        self.query_one("#readings", Static).update(Text("\n").join(lines))

    def show_message(self, text: str | Text) -> None:
        """Show a message to the player."""
        self.query_one("#said", Static).update(text)

    def action_move(self, by: int) -> None:
        """Move the cursor along the hand."""
        self.cursor = (self.cursor + by) % max(1, len(self.seat.hand))
        self.show()

    def action_choose(self) -> None:
        """Select or deselect the card under the cursor and show what the selected cards can be."""
        if self.seat.hand:
            self.selected ^= {self.seat.hand[self.cursor]}
        try:
            self.readings = self.seat.readings(sorted(self.selected)) if self.selected else []
        except Refused as refused:
            self.show_message(str(refused))
        self.show()

    def action_play(self, number: int) -> None:
        """Play the selected cards as this reading, or without a number as the only playable one."""
        playable = [each for each in self.readings if each.playable]
        if number:
            playable = self.readings[number - 1 : number]
        if len(playable) != 1:
            self.show_message(
                "Name one by its number." if playable else "Nothing of these cards may be played now."
            )
            return
        self.try_action(lambda: self.seat.play(sorted(self.selected), playable[0].combination))

    def action_pass(self) -> None:
        """Pass."""
        self.try_action(self.seat.pass_)

    def action_bet(self) -> None:
        """Bet 15."""
        self.try_action(lambda: self.seat.bet(15))

    def action_hint(self) -> None:
        """Show legal plays."""
        try:
            groups = self.seat.hints()[:MAX_HINTS]
        except Refused as refused:
            self.show_message(str(refused))
            return
        lines = [rendering.cards(each.cheapest) + Text(f"  {each.combination.text}") for each in groups]
        self.show_message(Text("\n").join(lines) if lines else "Nothing you hold beats it: pass.")

    def try_action(self, action: Callable[[], None]) -> None:
        """Run an action; show the reason if it is rejected."""
        try:
            action()
        except Refused as refused:
            self.show_message(str(refused))
            return
        self.selected, self.readings = set(), []
        self.show_message("")
        self.show()
