"""Decisions of a round that has ended, looked at one after the other: each from what its player then knew."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final, assert_never

from engine.ai.analysis import Analysed, analyse
from engine.ai.hard import choose as choose_hard
from engine.ai.interface import Budget
from engine.cards.hand import mask_of
from engine.combinations.plays import NO_PLAY
from engine.rounds.actions import Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.state import RoundState, start_round
from engine.views.round_view import view_round
from engine.views.serialization import serialize_play
from games.gateway.agreement import Agreement
from games.gateway.table import Table, read_action, read_cards

Form = dict[str, Any]

# What a hint may cost: a fraction of a decision of the level.
HINT_SIMULATIONS: Final = 100


def decisions(
    agreement: Agreement, dealt: Form, entries: list[Form], first: int
) -> Iterator[tuple[int, Form | None]]:
    """From the entry with this number on: its number, and what is to say of it if it is a play or pass."""
    state = _begun(agreement, dealt)
    for number, entry in enumerate(entries):
        action = read_action({**entry, "as": entry["combination"]})
        before, seat = state, entry["seat"]
        applied = apply(state, seat, action)
        state = applied.state
        if number < first:
            continue
        if not isinstance(action, Play | Pass):
            yield number, None
            continue
        rng = Random(f"{entry['version']}/{seat}")  # noqa: S311 -- an analysis is the same whenever it is made
        yield number, _form(entry, analyse(view_round(before, seat), applied.play, rng))


def _begun(agreement: Agreement, dealt: Form) -> RoundState:
    """The round as it was dealt."""
    return start_round(
        agreement.rules,
        number=dealt["number"],
        dealer=dealt["dealer"],
        leader=dealt["leader"],
        dealt=tuple(mask_of(read_cards(hand)) for hand in dealt["hands"]),
        haggis=mask_of(read_cards(dealt["haggis"])),
    )


def _form(entry: Form, found: Analysed) -> Form:
    return {
        "version": entry["version"],
        "round": entry["round"],
        "seat": entry["seat"],
        "by": entry["by"],
        "made": _move(found.made),
        "best": _move(found.best),
        "cost": round(found.cost, 1),
        "chance": round(found.chance, 2),
        "best_chance": round(found.best_chance, 2),
    }


def _move(play: int) -> Form:
    if play == NO_PLAY:
        return {"type": "pass", "cards": None, "combination": None}
    form = serialize_play(play)
    return {"type": "play", "cards": form["cards"], "combination": form["combination"]}


def hint_form(table: Table, seat: int, *, match_id: str, version: int) -> Form:
    """What `hard` would do in this seat; the same however often it is asked."""
    rng = Random(f"{match_id}/{version}/{seat}")  # noqa: S311 -- asking again is to tell nothing more
    action = choose_hard(table.view(seat), rng, Budget(simulations=HINT_SIMULATIONS))
    nothing = {"cards": None, "combination": None, "amount": None, "to": None}
    match action:
        case Play():
            chosen = apply(table.state.round, seat, action).play
            return nothing | _move(chosen)
        case Pass():
            return nothing | {"type": "pass"}
        case Bet():
            return nothing | {"type": "bet", "amount": action.amount}
        case Award():
            return nothing | {"type": "award", "to": action.to}
        case _:
            assert_never(action)
