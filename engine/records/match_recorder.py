"""Record a match that the engine plays, from each action and the engine's answer to it."""

from collections.abc import Callable
from typing import assert_never

from engine.deals.deal import Deal
from engine.matches.apply import Acted
from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.matches.state import MatchState
from engine.records.record import By, Ending, Record
from engine.records.recorder import Agreement, Recorder, recorded_action
from engine.rounds.actions import Action
from engine.rounds.events import Out, TrickEnd

# Returns the deal of a round, by its number, and the link it was made from.
DealAndLink = Callable[[int], tuple[Deal, bytes | None]]


class MatchRecorder:
    """The record of one match, starting with its first deal; the running round is added when it ends."""

    def __init__(self, agreed: Agreement, began: MatchState, dealing: DealAndLink) -> None:
        """Start recording a match as created by `start_match`."""
        self._recorder = Recorder(agreed)
        self._dealing = dealing
        self._deal(began.round.number, began.round.dealer, began.round.leader)

    def act(
        self, seat: int, action: Action, acted: Acted, *, by: By | None = None, at: str | None = None
    ) -> None:
        """Record an action and the events it caused."""
        self._recorder.add(recorded_action(seat, action, play=acted.play, by=by, at=at))
        for event in acted.events:
            self._record_event(event)

    def abort(self, *, winners: tuple[int, ...], totals: tuple[int, ...], reason: Ending) -> None:
        """Record that the match ended early, with the running round cut short."""
        self._recorder.finish(winners=winners, scores=totals, reason=reason)

    def record(self) -> Record:
        """Return the record so far."""
        return self._recorder.record()

    def _record_event(self, event: MatchEvent) -> None:
        match event:
            case TrickEnd():
                pass
            case Out():
                self._recorder.goes_out(event.seat)
            case RoundEnd():
                self._recorder.close(scores=event.scores, totals=event.totals)
            case Dealt():
                self._deal(event.number, event.dealer, event.leader)
            case MatchEnd():
                result = event.result
                reason = Ending(result.reason.value)
                self._recorder.finish(winners=result.winners, scores=result.scores, reason=reason)
            case _:
                assert_never(event)

    def _deal(self, number: int, dealer: int | None, leader: int) -> None:
        deal, link = self._dealing(number)
        self._recorder.deal(number, dealer=dealer, leader=leader, deal=deal, link=link)
