"""A round between a person on seat 0 and AI seats: who is asked, and what is answered."""

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
from examples.terminal.commands import HELP, Wish, number, read
from examples.terminal.hints import hints
from examples.terminal.news import news
from examples.terminal.paint import Paint
from examples.terminal.table import table

PERSON = 0


class Left(Exception):
    """The player does not want to play on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """Who plays, and how the person is asked and told. `ask` raises EOFError when nobody answers any more."""

    names: tuple[str, ...]
    chooser: Chooser
    rng: Random
    paint: Paint
    ask: Callable[[str], str]
    say: Callable[[str], None]

    def play(self, state: RoundState) -> RoundState:
        """The round at its end."""
        while (seat := state.to_act) is not None:
            state = self.person_acts(state) if seat == PERSON else self.level_acts(state, seat)
        return state

    def level_acts(self, state: RoundState, seat: int) -> RoundState:
        """The round after an AI seat has acted on what it sees."""
        action = self.chooser(view_round(state, seat), self.rng, DEFAULT_BUDGET)
        return self.told(apply(state, seat, action), seat, action)

    def person_acts(self, state: RoundState) -> RoundState:
        """The round after the person has done something that the rules allow."""
        view = view_round(state, PERSON)
        self.say(f"\n{table(view, self.names, self.paint)}")
        self.say(self.invitation(view))
        while True:
            try:
                action = self.wanted(view)
                return self.told(self.applied(state, action), PERSON, action)
            except Malformed as refused:
                self.say(f"{refused.detail} Type help for what can be typed.")
            except Refused as refused:
                self.say(f"{refused.detail}\n  {self.paint.faint(f'{refused.rule.text} ({refused.rule})')}")

    def told(self, applied: Applied, seat: int, action: Action) -> RoundState:
        """The new state, after saying what has happened."""
        for line in news(applied, seat, action, self.names, self.paint):
            self.say(line)
        return applied.state

    def wanted(self, view: RoundView) -> Action:
        """What the person does, after whatever else was asked for."""
        while True:
            if view.expects is Expects.AWARD:
                return self.award(view)
            command = read(self.ask("> "))
            if not isinstance(command, Wish):
                return command
            self.grant(command, view)

    def grant(self, wish: Wish, view: RoundView) -> None:
        """Show what was asked for."""
        match wish:
            case Wish.HELP:
                self.say(HELP)
            case Wish.TABLE:
                self.say(table(view, self.names, self.paint))
            case Wish.HINT | Wish.ALL_HINTS:
                self.say(hints(view, self.paint, every=wish is Wish.ALL_HINTS))
            case Wish.QUIT:
                raise Left

    def applied(self, state: RoundState, action: Action) -> Applied:
        """The action applied; a play of several shapes is asked about."""
        try:
            return apply(state, PERSON, action)
        except Refused as refused:
            if refused.code != "ambiguous_combination" or not isinstance(action, Play):
                raise
            readings = [reading for reading in refused.readings if isinstance(reading, Reading)]
            return apply(state, PERSON, Play(action.cards, self.meant(readings)))

    def meant(self, readings: list[Reading]) -> Named:
        """Which of several readings the person means."""
        self.say("That can be several things:")
        meant = readings[self.picked([_in_words(reading) for reading in readings])].combination
        return Named(kind=meant.kind, top=meant.top, width=meant.width, length=meant.length)

    def award(self, view: RoundView) -> Award:
        """To whom the person gives a bombed trick."""
        return Award(view.awards[self.picked([self.names[seat] for seat in view.awards])])

    def picked(self, options: list[str]) -> int:
        """The place of the option that the person picks by its number."""
        for count, option in enumerate(options, start=1):
            self.say(f"  {count}  {option}")
        typed = self.ask("number> ").strip()
        if typed.lower() == Wish.QUIT.value:
            raise Left
        if not 1 <= (chosen := number(typed)) <= len(options):
            raise Malformed("not_an_option", "That is none of these.")
        return chosen - 1

    def invitation(self, view: RoundView) -> str:
        """What is expected of the person, bets included."""
        match view.expects:
            case Expects.PLAY:
                asked = "You lead: play anything."
            case Expects.PLAY_OR_PASS:
                asked = f"To beat: {combination_of(number_in(view.current))}. Or pass."
            case _:
                return "Your bomb won the trick. Who captures it?"
        amounts = " or ".join(str(amount) for amount in view.bets_open if amount)
        return f"{asked} Before your first play you may bet {amounts}." if amounts else asked


def _in_words(reading: Reading) -> str:
    wilds = [f"{wild.face} as {wild.stands_for}" for wild in reading.wilds]
    return "; ".join([str(reading.combination), *wilds])
