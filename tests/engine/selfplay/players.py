"""Random players: they choose from the engine's legal actions, and sometimes try illegal ones."""

from dataclasses import dataclass
from random import Random

from engine.cards.card import FACE_CARDS
from engine.cards.deck import deck_for
from engine.cards.hand import FACES
from engine.combinations.kinds import combination_of
from engine.combinations.plays import NO_PLAY, cards_in, number_in
from engine.plays.sampling import random_follow, random_lead
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open
from tests.engine.selfplay.cross_check import CheckedMatch, codes
from tests.engine.selfplay.referee import ANYTHING, Name, RefereeAction

KINDS = ("set", "run", "stair", "bomb", None, None)


@dataclass(frozen=True)
class Habits:
    """The habits of a player: the chances of passing voluntarily, of betting, and of trying anything.

    `saves_faces`: J, Q and K are played only if there is nothing else, so that many rounds end on a bomb.
    """

    passes: float = 0.0
    bets: float = 0.05
    tries: float = 0.05
    saves_faces: bool = False


HABITS = (
    Habits(),
    Habits(passes=0.3),
    Habits(saves_faces=True),
    Habits(passes=0.5, bets=0.2, saves_faces=True),
    Habits(passes=0.2, tries=0.3),
)


def next_action(table: CheckedMatch, habits: Habits, rng: Random) -> tuple[int, RefereeAction]:
    """Return who acts next, and how."""
    if rng.random() < habits.tries:
        return anything(table, rng)
    if rng.random() < habits.bets:
        seat = rng.randrange(table.players)
        amounts = bets_open(table.state.round, seat)
        if amounts:
            return seat, ("bet", rng.choice(amounts))
    position = table.position
    if position.award_due:
        return position.to_act, ("award", rng.choice(may_capture(position)))
    hand = position.hands[position.to_act]
    if habits.saves_faces and hand & ~FACES:
        hand &= ~FACES
    if position.current == NO_PLAY:
        return position.to_act, named_play(random_lead(hand, position.table, rng))
    chosen = random_follow(hand, position.current, position.table, rng)
    if chosen == NO_PLAY or rng.random() < habits.passes:
        return position.to_act, ("pass",)
    return position.to_act, named_play(chosen)


def named_play(play: int) -> RefereeAction:
    """Return a legal play with its full name, which must be accepted."""
    combination = combination_of(number_in(play))
    name = (combination.kind.value, combination.top, combination.width, combination.length)
    return ("play", codes(cards_in(play)), name)


def anything(table: CheckedMatch, rng: Random) -> tuple[int, RefereeAction]:
    """Return any action of anyone, most of them illegal."""
    seat = table.position.to_act if rng.random() < 1 / 2 else rng.randrange(table.players)
    chance = rng.random()
    if chance < 0.15:
        return seat, ("pass",)
    if chance < 0.3:
        return seat, ("bet", rng.choice((-15, 0, 5, 10, 15, 20, 30, 45)))
    if chance < 0.4:
        return seat, ("award", rng.randrange(-1, 4))
    return seat, ("play", some_cards(table, seat, rng), some_name(rng))


def some_cards(table: CheckedMatch, seat: int, rng: Random) -> list[str]:
    """Return a few cards of the own hand or of anywhere, often of one rank or suit."""
    cards = codes(table.position.hands[seat])
    if rng.random() < 1 / 4 or not cards:
        cards = [*map(str, (*deck_for(table.players), *FACE_CARDS))]
    like = rng.choice(cards)
    alike = [card for card in cards if card[0] == like[0] or card[-1] == like[-1] or card in "JQK"]
    of = alike if rng.random() < 3 / 4 else cards
    return rng.sample(of, min(len(of), rng.choice((1, 1, 2, 2, 3, 4, 5))))


def some_name(rng: Random) -> Name:
    """Return no name, or a partial one."""
    if rng.random() < 2 / 3:
        return ANYTHING
    return (
        rng.choice(KINDS),
        rng.choice((None, rng.randrange(2, 14))),
        rng.choice((None, None, 1, 2)),
        rng.choice((None, None, 1, 3)),
    )
