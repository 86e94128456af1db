"""Sentences about actions and events, printed after every action."""

from typing import Final, assert_never

from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import Applied
from engine.rounds.events import Out, RoundEvent, TrickEnd
from examples.terminal.paint import Paint

YOU: Final = "You"
THIRD_PERSON: Final = {"pass": "passes", "are": "is"}


def describe_events(
    applied: Applied, seat: int, action: Action, names: tuple[str, ...], paint: Paint
) -> list[str]:
    """Return sentences about the action and its consequences."""
    description = _describe_action(applied, names[seat], action, names, paint)
    return [description, *(_describe_event(event, names, paint) for event in applied.events)]


def conjugate(name: str, verb: str) -> str:
    """Return a name and its verb.

    >>> conjugate("You", "pass"), conjugate("Morag", "pass"), conjugate("Morag", "play")
    ('You pass', 'Morag passes', 'Morag plays')
    """
    return f"{name} {verb}" if name == YOU else f"{name} {THIRD_PERSON.get(verb, verb + 's')}"


def _describe_action(
    applied: Applied, name: str, action: Action, names: tuple[str, ...], paint: Paint
) -> str:
    match action:
        case Play():
            return f"{conjugate(name, 'play')}  {paint.play(applied.play)}"
        case Pass():
            return f"{conjugate(name, 'pass')}."
        case Bet():
            return f"{conjugate(name, 'bet')} {action.amount or 'nothing'}."
        case Award():
            return f"{conjugate(name, 'give')} the trick to {_object(names[action.to])}."
        case _:
            assert_never(action)


def _describe_event(event: RoundEvent, names: tuple[str, ...], paint: Paint) -> str:
    match event:
        case Out():
            return paint.bold(f"{conjugate(names[event.seat], 'are')} out.")
        case TrickEnd():
            won = f"{conjugate(names[event.winner], 'win')} the trick"
            if event.captured_by == event.winner:
                return paint.faint(f"{won}.")
            return paint.faint(f"{won} with a bomb; {conjugate(names[event.captured_by], 'capture')} it.")
        case _:
            assert_never(event)


def _object(name: str) -> str:
    return "you" if name == YOU else name
