"""What has happened, in sentences: said after every action, the player's own too."""

from typing import Final, assert_never

from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import Applied
from engine.rounds.events import Out, RoundEvent, TrickEnd
from examples.terminal.paint import Paint

YOU: Final = "You"
THIRD_PERSON: Final = {"pass": "passes", "are": "is"}


def news(applied: Applied, seat: int, action: Action, names: tuple[str, ...], paint: Paint) -> list[str]:
    """The action, and what it brought about."""
    did = _did(applied, names[seat], action, names, paint)
    return [did, *(_happened(event, names, paint) for event in applied.events)]


def says(name: str, verb: str) -> str:
    """A name and its verb.

    >>> says("You", "pass"), says("Morag", "pass"), says("Morag", "play")
    ('You pass', 'Morag passes', 'Morag plays')
    """
    return f"{name} {verb}" if name == YOU else f"{name} {THIRD_PERSON.get(verb, verb + 's')}"


def _did(applied: Applied, name: str, action: Action, names: tuple[str, ...], paint: Paint) -> str:
    match action:
        case Play():
            return f"{says(name, 'play')}  {paint.play(applied.play)}"
        case Pass():
            return f"{says(name, 'pass')}."
        case Bet():
            return f"{says(name, 'bet')} {action.amount or 'nothing'}."
        case Award():
            return f"{says(name, 'give')} the trick to {_object(names[action.to])}."
        case _:
            assert_never(action)


def _happened(event: RoundEvent, names: tuple[str, ...], paint: Paint) -> str:
    match event:
        case Out():
            return paint.bold(f"{says(names[event.seat], 'are')} out.")
        case TrickEnd():
            won = f"{says(names[event.winner], 'win')} the trick"
            if event.captured_by == event.winner:
                return paint.faint(f"{won}.")
            return paint.faint(f"{won} with a bomb; {says(names[event.captured_by], 'capture')} it.")
        case _:
            assert_never(event)


def _object(name: str) -> str:
    return "you" if name == YOU else name
