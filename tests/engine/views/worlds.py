"""Pairs of rounds that differ only in what one viewer cannot see, played on alike."""

from dataclasses import replace
from random import Random

from engine.cards.hand import FACES, SUIT_CARD_BITS, cards_of, mask_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import combination_of
from engine.combinations.plays import COMBINATION_AT, NO_PLAY, cards_in
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open
from engine.rounds.playout import random_hands
from engine.rounds.position import Position
from engine.rounds.state import RoundState, start_round, table_of
from engine.rulesets.model import TableRules


def dealt_round(rules: TableRules, rng: Random) -> RoundState:
    """Return a round with a random deal."""
    table = table_of(rules)
    hands = tuple(hand & SUIT_CARD_BITS for hand in random_hands(table, rng))
    deck = (1 << 9 * table.suits) - 1
    haggis = deck & ~sum(hands)
    return start_round(
        rules, number=1, dealer=0, leader=rng.randrange(rules.players), dealt=hands, haggis=haggis
    )


def played_on(state: RoundState, rng: Random, actions: int) -> RoundState:
    """Return the round after some random actions, or at its end."""
    for _ in range(actions):
        if state.is_over:
            break
        seat, action = random_action(state, rng)
        state = apply(state, seat, action).state
    return state


def random_action(state: RoundState, rng: Random) -> tuple[int, Action]:
    """Return a legal action of anyone: sometimes a bet, otherwise an action of the seat to act."""
    bettor = rng.randrange(state.rules.players)
    amounts = bets_open(state, bettor)
    if amounts and rng.random() < 0.1:
        return bettor, Bet(rng.choice(amounts))
    position = state.position
    if position.award_due:
        return position.to_act, Award(rng.choice(may_capture(position)))
    chosen = rng.choice(legal_plays(position))
    return position.to_act, Pass() if chosen == NO_PLAY else action_of(chosen)


def legal_plays(position: Position) -> list[int]:
    """Return what the seat to act may play, including a pass (0) if it may pass."""
    hand, table = position.hands[position.to_act], position.table
    if position.current == NO_PLAY:
        return leads(hand, table)
    return [NO_PLAY, *follows(hand, position.current, table)]


def action_of(play: int) -> Play:
    """Return a play as a player names it."""
    combination = combination_of(play >> COMBINATION_AT)
    named = Named(combination.kind, combination.top, combination.width, combination.length)
    return Play(cards_of(cards_in(play)), named)


def other_world(state: RoundState, viewer: int | None, rng: Random) -> RoundState:
    """Return a round that looks the same to this viewer, with all hidden cards dealt again."""
    position = state.position
    hidden_from = [seat for seat in range(state.rules.players) if seat != viewer]
    unseen = list(cards_of(state.haggis))
    for seat in hidden_from:
        unseen += cards_of(position.hands[seat] & SUIT_CARD_BITS)
    rng.shuffle(unseen)
    hands, dealt = list(position.hands), list(state.dealt)
    for seat in hidden_from:
        count = (position.hands[seat] & SUIT_CARD_BITS).bit_count()
        now = mask_of(unseen[:count])
        del unseen[:count]
        played = state.dealt[seat] & ~position.hands[seat]
        hands[seat] = now | position.hands[seat] & FACES
        dealt[seat] = played | hands[seat]
    return replace(
        state, position=with_hands(position, tuple(hands)), dealt=tuple(dealt), haggis=mask_of(unseen)
    )


def with_hands(position: Position, hands: tuple[int, ...]) -> Position:
    """Return the position with other hands."""
    return Position(position.table, hands, *position.parts()[1:])  # type: ignore[arg-type]  # its own parts
