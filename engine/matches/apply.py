"""Apply one action to a match: to the round and, if that ends the round, to what follows it.

The answer lists all resulting events in order: who went out, who captured the trick, the round's score sheet,
and then either the next deal or the end of the match.
"""

from dataclasses import dataclass, replace

from engine.combinations.plays import NO_PLAY
from engine.errors import Refused
from engine.matches.ending import is_over, winners
from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.matches.next_dealer import next_dealer
from engine.matches.next_leader import next_leader
from engine.matches.state import Dealing, MatchState, Reason, Result, deal_round
from engine.rounds.actions import Action
from engine.rounds.apply import apply as apply_in_round
from engine.rounds.ending import score_round
from engine.rounds.state import RoundState
from engine.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Acted:
    """The new state, the play that was made (0 if the action was no play), and the resulting events."""

    state: MatchState
    play: int = NO_PLAY
    events: tuple[MatchEvent, ...] = ()


def apply(state: MatchState, seat: int, action: Action, *, dealing: Dealing) -> Acted:
    """Return the match after `seat` has acted; raise `Refused` if the rules do not allow the action.

    `dealing` is called only if the action ends a round and the match goes on.
    """
    if state.is_over:
        raise Refused("match_over", "This match has ended.", rule=Clause.MATCH_OVER)
    applied = apply_in_round(state.round, seat, action)
    after = replace(state, round=applied.state)
    if not applied.state.is_over:
        return Acted(after, applied.play, applied.events)
    after, scored = _score(after)
    after, followed = _end(after) if _is_reached(after) else _next_round(after, dealing)
    return Acted(after, applied.play, (*applied.events, scored, followed))


def _score(state: MatchState) -> tuple[MatchState, RoundEnd]:
    """Return the match with the round's scores added to the totals, and the event."""
    ended = state.round
    scores = score_round(ended)
    totals = tuple(total + line.total for total, line in zip(state.totals, scores, strict=True))
    event = RoundEnd(
        number=ended.number,
        scores=scores,
        totals=totals,
        hands=ended.dealt,
        haggis=ended.haggis,
        out=ended.position.out,
    )
    return replace(state, totals=totals), event


def _is_reached(state: MatchState) -> bool:
    return is_over(state.length, totals=state.totals, rounds_played=state.round.number)


def _end(state: MatchState) -> tuple[MatchState, MatchEnd]:
    reason = Reason.ROUNDS if state.length.target is None else Reason.TARGET
    result = Result(winners=winners(state.totals), scores=state.totals, reason=reason)
    return replace(state, result=result), MatchEnd(result)


def _next_round(state: MatchState, dealing: Dealing) -> tuple[MatchState, Dealt]:
    ended: RoundState = state.round
    dealer = next_dealer(state.rules, totals=state.totals, out=ended.position.out)
    leader = next_leader(state.rules, totals=state.totals, dealer=dealer, last_leader=ended.leader)
    number = ended.number + 1
    dealt = deal_round(state.rules, number=number, dealer=dealer, leader=leader, dealing=dealing)
    return replace(state, round=dealt), Dealt(number=number, dealer=dealer, leader=leader)
