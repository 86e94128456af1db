"""A round between a person on seat 0 and AI seats: prompts, input and output."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from engine.ai.interface import DEFAULT_BUDGET, Chooser
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import combination_of
from engine.combinations.plays import number_in
from engine.combinations.readings import Reading
from engine.errors import Malformed, Refused
from engine.rounds.actions import Action, Award, Play
from engine.rounds.apply import Applied, apply
from engine.rounds.state import RoundState
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView, view_round
from examples.terminal.commands import HELP, Command, number, read
from examples.terminal.events import describe_events
from examples.terminal.hints import list_hints
from examples.terminal.paint import Paint
from examples.terminal.table import table

PERSON = 0


class PlayerLeft(Exception):
    """Raised when the player quits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The players, and the functions for input and output. `ask` raises EOFError at the end of the input."""

    names: tuple[str, ...]
    chooser: Chooser
    rng: Random
    paint: Paint
    ask: Callable[[str], str]
    say: Callable[[str], None]

    def play(self, state: RoundState) -> RoundState:
        """Play the round to its end and return its state."""
        while (seat := state.to_act) is not None:
            state = self.person_acts(state) if seat == PERSON else self.ai_acts(state, seat)
        return state

    def ai_acts(self, state: RoundState, seat: int) -> RoundState:
        """Let an AI seat act on its view; return the new state."""
        action = self.chooser(view_round(state, seat), self.rng, DEFAULT_BUDGET)
        return self.announce(apply(state, seat, action), seat, action)

    def person_acts(self, state: RoundState) -> RoundState:
        """Ask the person until an action is legal; return the new state."""
        view = view_round(state, PERSON)
        self.say(f"\n{table(view, self.names, self.paint)}")
        self.say(self.invitation(view))
        while True:
            try:
                action = self.read_action(view)
                return self.announce(self.apply_action(state, action), PERSON, action)
            except Malformed as refused:
                self.say(f"{refused.detail} Type help for what can be typed.")
            except Refused as refused:
                self.say(f"{refused.detail}\n  {self.paint.faint(f'{refused.rule.text} ({refused.rule})')}")

    def announce(self, apply_action: Applied, seat: int, action: Action) -> RoundState:
        """Print what has happened; return the new state."""
        for line in describe_events(apply_action, seat, action, self.names, self.paint):
            self.say(line)
        return apply_action.state

    def read_action(self, view: RoundView) -> Action:
        """Read commands and run them until the person enters an action; return it."""
        while True:
            if view.expects is Expects.AWARD:
                return self.award(view)
            entered = read(self.ask("> "))
            if not isinstance(entered, Command):
                return entered
            self.run_command(entered, view)

    def run_command(self, command: Command, view: RoundView) -> None:
        """Run a command."""
        match command:
            case Command.HELP:
                self.say(HELP)
            case Command.TABLE:
                self.say(table(view, self.names, self.paint))
            case Command.HINT | Command.ALL_HINTS:
                self.say(list_hints(view, self.paint, show_all=command is Command.ALL_HINTS))
            case Command.QUIT:
                raise PlayerLeft

    def apply_action(self, state: RoundState, action: Action) -> Applied:
        """Apply the action; ask which combination is meant if a play is ambiguous."""
        try:
            return apply(state, PERSON, action)
        except Refused as refused:
            if refused.code != "ambiguous_combination" or not isinstance(action, Play):
                raise
            readings = [reading for reading in refused.readings if isinstance(reading, Reading)]
            return apply(state, PERSON, Play(action.cards, self.choose_reading(readings)))

    def choose_reading(self, readings: list[Reading]) -> Named:
        """Ask which of several combinations the person means."""
        self.say("That can be several things:")
        chosen = readings[self.choose_option([_describe(reading) for reading in readings])].combination
        return Named(
            kind=chosen.kind,
            top=chosen.top,
            width=chosen.width,
            length=chosen.length,
        )

    def award(self, view: RoundView) -> Award:
        """Ask who captures a trick won by a bomb."""
        return Award(view.awards[self.choose_option([self.names[seat] for seat in view.awards])])

    def choose_option(self, options: list[str]) -> int:
        """Ask for one of these options by its number; return its index."""
        for count, option in enumerate(options, start=1):
            self.say(f"  {count}  {option}")
        typed = self.ask("number> ").strip()
        if typed.lower() == Command.QUIT.value:
            raise PlayerLeft
        if not 1 <= (number_chosen := number(typed)) <= len(options):
            raise Malformed("not_an_option", "That is none of these.")
        return number_chosen - 1

    def invitation(self, view: RoundView) -> str:
        """Return a prompt that says what the person may do, including bets."""
        match view.expects:
            case Expects.PLAY:
                prompt = "You lead: play anything."
            case Expects.PLAY_OR_PASS:
                prompt = f"To beat: {combination_of(number_in(view.current))}. Or pass."
            case _:
                return "Your bomb won the trick. Who captures it?"
        amounts = " or ".join(str(amount) for amount in view.bets_open if amount)
        return f"{prompt} Before your first play you may bet {amounts}." if amounts else prompt


def _describe(reading: Reading) -> str:
    wilds = [f"{wild.face} as {wild.stands_for}" for wild in reading.wilds]
    return "; ".join([str(reading.combination), *wilds])
