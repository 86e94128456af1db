"""Iterate over the decisions of a record: the state before each action, and the action.

for step in steps_of(load_record(data)):
    view = view_match(step.state, step.seat)  # what the player could see
    learn(view, step.action)
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.cards.hand import mask_of
from engine.errors import HaggisError
from engine.matches.state import MatchState
from engine.records.agreement import length_of, rules_of
from engine.records.record import By, Record
from engine.records.replay import replay
from engine.records.verdict import Wrong
from engine.rounds.actions import Action
from engine.rounds.apply import apply
from engine.rounds.state import start_round


class InvalidRecord(HaggisError):
    """The record breaks a rule, so it has no states; `verdict` is the first mistake."""

    def __init__(self, verdict: Wrong) -> None:
        """Store the first mistake."""
        super().__init__(verdict.code, verdict.detail)
        self.verdict = verdict


class Step(NamedTuple):
    """One decision: the match before it, the seat that decided, its action, and who acted for the seat.

    `state` contains every hand. `engine.views` says what the seat could see of it.
    """

    state: MatchState
    seat: int
    action: Action
    by: By | None


def steps_of(record: Record) -> Iterator[Step]:
    """Yield every decision of a record in order; raise `InvalidRecord` if the record is not valid.

    The record is replayed first, so the error comes before the first decision. Every play names its
    combination, as records do. A round that was cut short yields its actions, too.
    """
    verdict = replay(record)
    if isinstance(verdict, Wrong):
        raise InvalidRecord(verdict)
    return _steps(record)


def _steps(record: Record) -> Iterator[Step]:
    rules, length = rules_of(record), length_of(record)
    totals = (0,) * rules.players
    for played in record.rounds:
        state = start_round(
            rules,
            number=played.number,
            dealer=played.dealer,
            leader=played.leader,
            dealt=tuple(mask_of(hand) for hand in played.hands),
            haggis=mask_of(played.haggis),
        )
        for recorded in played.actions:
            match = MatchState(rules=rules, length=length, totals=totals, round=state)
            yield Step(match, recorded.seat, recorded.action, recorded.by)
            state = apply(state, recorded.seat, recorded.action).state
        totals = played.totals or totals
