"""The terminal client: `PYTHONPATH=clients/python python -m examples.online SITE`.

Arrows move along the hand, space chooses a card, a digit or enter plays what the chosen cards are, p passes,
b bets, h shows what may be played, q leaves.
"""

from collections.abc import Callable
from typing import ClassVar, Final

from haggis_client import models as m
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Header, Static

from examples.online import painting
from examples.online.seat import Refused, Seat

SECONDS_BETWEEN_LOOKS: Final = 0.5
FEW: Final = 12


class Terminal(App[None]):
    """One match at the terminal."""

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
        self.chosen: set[str] = set()
        self.readings: list[m.Reading] = []

    def compose(self) -> ComposeResult:
        """The table, the hand, what the chosen cards can be, and what was said last."""
        yield Header()
        yield Static(id="table")
        yield Static(id="hand")
        yield Static(id="readings")
        yield Static(id="said")
        yield Footer()

    def on_mount(self) -> None:
        """Show it, and look again now and then."""
        self.show()
        self.set_interval(SECONDS_BETWEEN_LOOKS, self.look)

    def look(self) -> None:
        """See what others have done."""
        if self.seat.look():
            self.show()

    def show(self) -> None:
        """Draw everything as it is."""
        hand = self.seat.hand
        self.chosen &= set(hand)
        self.cursor = min(self.cursor, max(0, len(hand) - 1))
        lines = [painting.reading(number, each) for number, each in enumerate(self.readings, 1)]
        self.query_one("#table", Static).update(painting.table(self.seat.table))
        self.query_one("#hand", Static).update(painting.hand(hand, self.chosen, self.cursor))
        self.query_one("#readings", Static).update(Text("\n").join(lines))

    def say(self, text: str | Text) -> None:
        """Tell the player something."""
        self.query_one("#said", Static).update(text)

    def action_move(self, by: int) -> None:
        """Move along the hand."""
        self.cursor = (self.cursor + by) % max(1, len(self.seat.hand))
        self.show()

    def action_choose(self) -> None:
        """Choose the card under the cursor, or put it back; see what the chosen ones can be."""
        if self.seat.hand:
            self.chosen ^= {self.seat.hand[self.cursor]}
        try:
            self.readings = self.seat.readings(sorted(self.chosen)) if self.chosen else []
        except Refused as refused:
            self.say(str(refused))
        self.show()

    def action_play(self, number: int) -> None:
        """Play the chosen cards as this reading; without a number as the only one that may be played."""
        playable = [each for each in self.readings if each.playable]
        if number:
            playable = self.readings[number - 1 : number]
        if len(playable) != 1:
            self.say("Name one by its number." if playable else "Nothing of these cards may be played now.")
            return
        self.attempt(lambda: self.seat.play(sorted(self.chosen), playable[0].combination))

    def action_pass(self) -> None:
        """Pass."""
        self.attempt(self.seat.pass_)

    def action_bet(self) -> None:
        """Bet 15."""
        self.attempt(lambda: self.seat.bet(15))

    def action_hint(self) -> None:
        """Show what may be played."""
        try:
            groups = self.seat.hints()[:FEW]
        except Refused as refused:
            self.say(str(refused))
            return
        lines = [painting.cards(each.cheapest) + Text(f"  {each.combination.text}") for each in groups]
        self.say(Text("\n").join(lines) if lines else "Nothing you hold beats it: pass.")

    def attempt(self, action: Callable[[], None]) -> None:
        """Do it, or say why not."""
        try:
            action()
        except Refused as refused:
            self.say(str(refused))
            return
        self.chosen, self.readings = set(), []
        self.say("")
        self.show()
