"""Helpers for a turn that all levels share: the hand, the legal plays, and the action for a play."""

from engine.cards.hand import cards_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import combination_of
from engine.combinations.plays import NO_PLAY, cards_in, number_in
from engine.errors import Refused
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.actions import Pass, Play
from engine.rounds.state import table_of
from engine.rulebook import Clause
from engine.views.round_view import RoundView


def hand_to_act(view: RoundView) -> int:
    """Return the viewer's hand if it is the viewer's turn; otherwise raise `Refused`."""
    if view.hand is None or not view.is_mine:
        raise Refused("not_your_turn", "Only the seat to act has a choice.", rule=Clause.TURN_IN_ORDER)
    return view.hand


def legal_plays(view: RoundView) -> list[int]:
    """Return every play that the seat to act may make, without passing."""
    hand, table = hand_to_act(view), table_of(view.rules)
    return leads(hand, table) if view.current == NO_PLAY else follows(hand, view.current, table)


def action_of(play: int) -> Play | Pass:
    """Return the action that makes exactly this play, or a pass for NO_PLAY.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> from engine.combinations.kinds import Kind, number_of
    >>> from engine.combinations.plays import play_of
    >>> action_of(play_of(number_of(Kind.RUN, 10, 1, 3), mask_of(parse_cards("9r Tr J")))).named.top
    10
    """
    if play == NO_PLAY:
        return Pass()
    combination = combination_of(number_in(play))
    named = Named(
        kind=combination.kind, top=combination.top, width=combination.width, length=combination.length
    )
    return Play(cards_of(cards_in(play)), named)
