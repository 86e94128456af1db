"""Build a record while a match is played, deal by deal and action by action.

Use it to build a record from a stored log. If the engine plays the match, use
`engine.records.match_recorder`, which takes the engine's answers.
"""

from dataclasses import dataclass, replace

from engine.cards.card import FACE_CARDS
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import combination_of
from engine.combinations.plays import NO_PLAY, number_in
from engine.deals.deal import Deal
from engine.matches.ending import Length
from engine.records.record import By, Ending, Record, RecordedAction, RecordedResult, RecordedRound
from engine.rounds.actions import Action, Play
from engine.rulesets.model import TableRules
from engine.scoring.sheet import SeatScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What is known about a match before its first deal."""

    match: str | None
    rules: TableRules
    length: Length
    seats: tuple[str, ...]
    deal_id: str | None = None
    anchor: bytes | None = None
    client_seeds: tuple[str, ...] | None = None


def empty_record(agreed: Agreement) -> Record:
    """Return the record of a match without rounds."""
    return Record(
        match=agreed.match,
        deal_id=agreed.deal_id,
        ruleset=agreed.rules.key,
        ruleset_version=agreed.rules.version,
        options=agreed.rules.chosen,
        players=agreed.rules.players,
        target_score=agreed.length.target,
        rounds_limit=agreed.length.rounds,
        seats=agreed.seats,
        anchor=None if agreed.anchor is None else agreed.anchor.hex(),
        client_seeds=agreed.client_seeds,
        rounds=(),
        result=None,
    )


def recorded_action(
    seat: int, action: Action, *, play: int = NO_PLAY, by: By | None = None, at: str | None = None
) -> RecordedAction:
    """Return an action as recorded: a play gets the full name of the combination it was played as.

    `play` is the play as the engine applied it; without it, the action is recorded as the player named it.
    """
    if isinstance(action, Play) and play != NO_PLAY:
        made = combination_of(number_in(play))
        action = Play(action.cards, Named(made.kind, made.top, made.width, made.length))
    return RecordedAction(seat, action, by, at)


class Recorder:
    """A record under construction; the running round is added when it ends or is cut short."""

    def __init__(self, agreed: Agreement) -> None:
        """Start with what was agreed and no rounds."""
        self._record = empty_record(agreed)
        self._running: RecordedRound | None = None
        self._actions: list[RecordedAction] = []
        self._out: list[int] = []

    def deal(self, number: int, *, dealer: int | None, leader: int, deal: Deal, link: bytes | None) -> None:
        """Start a new round."""
        self._running = RecordedRound(
            number=number,
            dealer=dealer,
            leader=leader,
            link=None if link is None else link.hex(),
            hands=tuple(hand + FACE_CARDS for hand in deal.hands),
            haggis=deal.haggis,
            actions=(),
            out=(),
            scores=None,
            totals=None,
        )
        self._actions, self._out = [], []

    def add(self, action: RecordedAction) -> None:
        """Add an action to the running round."""
        self._actions.append(action)

    def goes_out(self, seat: int) -> None:
        """Add a seat that went out by the last action."""
        self._out.append(seat)

    def close(self, *, scores: tuple[SeatScore, ...] | None, totals: tuple[int, ...] | None) -> None:
        """End the running round: played to its end, or cut short and without scores."""
        if self._running is not None:
            ended = replace(
                self._running,
                actions=tuple(self._actions),
                out=tuple(self._out),
                scores=scores,
                totals=totals,
            )
            self._record = replace(self._record, rounds=(*self._record.rounds, ended))
        self._running = None

    def finish(self, *, winners: tuple[int, ...], scores: tuple[int, ...], reason: Ending) -> None:
        """End the match; a running round is cut short."""
        self.close(scores=None, totals=None)
        result = RecordedResult(winners=winners, scores=scores, reason=reason)
        self._record = replace(self._record, result=result)

    def record(self) -> Record:
        """Return the record so far, without the running round."""
        return self._record
