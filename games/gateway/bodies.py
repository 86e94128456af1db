"""An action as the body of a request: what a client would send to do the same."""

from typing import Any, assert_never

from engine.rounds.actions import Action, Award, Bet, Pass, Play

Form = dict[str, Any]


def body_of(action: Action, version: int) -> Form:
    """The body of this action at this version of a match, its combination named as far as the action does.

    >>> body_of(Bet(15), 7)
    {'type': 'bet', 'version': 7, 'amount': 15}
    """
    match action:
        case Play():
            named = action.named
            parts = {"kind": named.kind, "top": named.top, "width": named.width, "length": named.length}
            said = {name: part for name, part in parts.items() if part is not None}
            cards = [str(card) for card in action.cards]
            return {"type": "play", "version": version, "cards": cards, "as": said}
        case Pass():
            return {"type": "pass", "version": version}
        case Bet():
            return {"type": "bet", "version": version, "amount": action.amount}
        case Award():
            return {"type": "award", "version": version, "to": action.to}
        case _:
            assert_never(action)
