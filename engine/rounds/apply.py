"""Apply one action to a round: a legal action returns a new state, an illegal one is refused."""

from dataclasses import dataclass, replace
from typing import assert_never

from engine.cards.card import Card
from engine.cards.hand import mask_of
from engine.combinations.ambiguity import choose_reading
from engine.combinations.plays import COMBINATION_AT, NO_PLAY, play_of
from engine.errors import Malformed, Refused
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.awarding import award, may_capture
from engine.rounds.betting import place_bet
from engine.rounds.events import Out, RoundEvent, TrickEnd
from engine.rounds.passing import pass_turn
from engine.rounds.playing import play
from engine.rounds.position import Position
from engine.rounds.state import Entry, RoundState, Trick
from engine.rounds.turn import check_turn
from engine.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Applied:
    """The new state, the play that was made (0 if the action was no play), and the resulting events."""

    state: RoundState
    play: int = NO_PLAY
    events: tuple[RoundEvent, ...] = ()


def apply(state: RoundState, seat: int, action: Action) -> Applied:
    """Return the round after `seat` has acted; raise `Refused` if the rules do not allow the action.

    Raise `Malformed` if the action makes no sense: an unknown seat, or a card named twice.
    """
    _check_seat(state, seat)
    match action:
        case Bet():
            return Applied(place_bet(state, seat, action.amount))
        case Play():
            check_turn(state.position, seat, action)
            chosen = chosen_play(state.position, action)
            return _after_turn(state, Entry(seat, chosen), play(state.position, chosen))
        case Pass():
            check_turn(state.position, seat, action)
            _check_pass(state.position)
            return _after_turn(state, Entry(seat, NO_PLAY), pass_turn(state.position))
        case Award():
            check_turn(state.position, seat, action)
            _check_award(state.position, action.to)
            return _applied_with(state, award(state.position, action.to), state.trick)
        case _:
            assert_never(action)


def _check_seat(state: RoundState, seat: int) -> None:
    """Raise `Malformed` if there is no such seat; seats are numbered from 0."""
    if not 0 <= seat < state.rules.players:
        raise Malformed("unknown_seat", "There is no seat {seat} at this table.", where="seat", seat=seat)


def chosen_play(position: Position, action: Play) -> int:
    """Return the play that the action of the player to act means, if the rules allow it."""
    cards = _checked_mask(position, action.cards)
    current = position.current >> COMBINATION_AT
    return play_of(choose_reading(cards, action.named, current, position.table), cards)


def _checked_mask(position: Position, named: tuple[Card, ...]) -> int:
    """Return the cards as a mask; refuse all cards not in the hand alike, so as to reveal nothing."""
    cards = mask_of(named)
    if not cards or cards & ~position.hands[position.to_act]:
        raise Refused("card_not_in_hand", "You do not hold all of these cards.", rule=Clause.PLAY_OWN_CARDS)
    return cards


def _check_pass(position: Position) -> None:
    if position.current == NO_PLAY:
        raise Refused("must_lead", "You lead this trick: play something.", rule=Clause.LEAD_MUST_PLAY)


def _check_award(position: Position, captor: int) -> None:
    if not position.award_due:
        detail = "There is no bombed trick to award."
        raise Refused("award_invalid", detail, rule=Clause.AWARD_ONLY_WHEN_DUE)
    if captor not in may_capture(position):
        detail = "A trick won by a bomb goes to an opponent."
        raise Refused("award_invalid", detail, rule=Clause.AWARD_TO_OPPONENT)


def _after_turn(state: RoundState, entry: Entry, after: Position) -> Applied:
    return _applied_with(state, after, (*state.trick, entry), play=entry.play)


def _applied_with(
    state: RoundState, after: Position, trick: tuple[Entry, ...], play: int = NO_PLAY
) -> Applied:
    """Return the new state, with the trick running or ended, and who went out and who captured."""
    events: tuple[RoundEvent, ...] = ()
    if len(after.out) > len(state.position.out):
        events = (Out(after.out[-1]),)
    if after.pile:
        return Applied(replace(state, position=after, trick=trick), play, events)
    ended = Trick(after.winner, after.captor, trick)
    state = replace(state, position=after, trick=(), tricks=(*state.tricks, ended))
    return Applied(state, play, (*events, TrickEnd(winner=ended.winner, captured_by=ended.captured_by)))
