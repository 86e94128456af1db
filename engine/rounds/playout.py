"""Play a round to its end at random, to measure speed and to estimate the value of a position."""

from random import Random

from engine.cards.deck import DEALT_CARDS
from engine.cards.hand import FACES
from engine.combinations.plays import NO_PLAY
from engine.plays.sampling import random_follow, random_lead
from engine.rounds.awarding import award, may_capture
from engine.rounds.passing import pass_turn
from engine.rounds.playing import play
from engine.rounds.position import Position, Table


def random_hands(table: Table, rng: Random) -> tuple[int, ...]:
    """Deal random hands for playouts and benchmarks; real games use `engine.deals`."""
    deck = list(range(9 * table.suits))
    hands = []
    for _ in range(table.players):
        hand = FACES
        for _ in range(DEALT_CARDS):
            at = int(rng.random() * len(deck))
            hand |= 1 << deck[at]
            deck[at] = deck[-1]
            deck.pop()
        hands.append(hand)
    return tuple(hands)


def play_out(position: Position, rng: Random) -> Position:
    """Return the position at the end of the round after everyone has acted at random."""
    while position.to_act >= 0:
        position = random_step(position, rng)
    return position


def random_step(position: Position, rng: Random) -> Position:
    """Return the position after one random legal action of the player to act."""
    if position.award_due:
        captors = may_capture(position)
        return award(position, captors[int(rng.random() * len(captors))])
    hand = position.hands[position.to_act]
    if position.current == NO_PLAY:
        return play(position, random_lead(hand, position.table, rng))
    chosen = random_follow(hand, position.current, position.table, rng)
    return pass_turn(position) if chosen == NO_PLAY else play(position, chosen)
