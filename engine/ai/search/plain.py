"""Search without a network, as a baseline for its value: a tree with greedy playouts.

Each simulation samples a world, walks down the tree by the best results so far (among the plays that this
world allows), adds one play, and finishes the round by the greedy level's rules of thumb. Only a few plays of
a decision are in the tree: one for each combination, starting with those that the rules of thumb prefer. With
all plays, each would be tried only a handful of times, which is not informative.
"""

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Final

from engine.ai.easy import choose_play_of
from engine.ai.greedy.awarding import choose_captor
from engine.ai.greedy.following import cost
from engine.ai.greedy.groups import faces_in, is_bomb, largest_and_lowest_first
from engine.ai.interface import Budget
from engine.ai.search.meter import Meter
from engine.ai.search.worlds import sample_world, unseen_cards
from engine.ai.turn import action_of, hand_to_act
from engine.cards.hand import FACES
from engine.combinations.plays import COMBINATION_AT, NO_PLAY, cards_in
from engine.combinations.rules import CombinationRules
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.actions import Action, Award
from engine.rounds.awarding import award, may_capture
from engine.rounds.ending import score_position
from engine.rounds.passing import pass_turn
from engine.rounds.playing import play
from engine.rounds.position import Position
from engine.rounds.state import table_of
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView

SIMULATIONS: Final = 700
# The exploration constant, in points; a round's result deviates from its expectation by about 25 points.
EXPLORATION: Final = 20.0
# The most plays of a decision in the tree. A large hand leads without wild cards.
MOST_LEADS: Final = 12
MOST_FOLLOWS: Final = 8
LARGE_HAND: Final = 8


class _Node:
    """The results of a play so far, for the seat that made it, and the plays that followed it."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.children: dict[int, _Node] = {}

    def upper_bound(self) -> float:
        """Return the upper confidence bound of this node."""
        return self.total / self.visits + EXPLORATION * sqrt(log(self.available) / self.visits)


def search_without_network(view: RoundView, rng: Random, budget: Budget) -> Action:
    """Return the play that was tried most often; this search never bets."""
    hand = hand_to_act(view)
    if view.expects is Expects.AWARD:
        return Award(choose_captor(view))
    meter, root, unseen = Meter(budget, default_tries=SIMULATIONS), _Node(), unseen_cards(view, hand)
    if len(plays := candidate_plays(hand, view.current, table_of(view.rules))) == 1:
        return action_of(plays[0])
    while meter.spent < 1:
        world = sample_world(view, hand, unseen, rng)
        _simulate(view, root, view.position_with(world.hands), world.haggis)
        meter.count(1)
    return action_of(max(root.children, key=lambda each: root.children[each].visits))


def _simulate(view: RoundView, root: _Node, position: Position, haggis: int) -> None:
    path: list[tuple[int, _Node]] = []
    node = root
    while not position.is_over():
        if position.award_due:
            position = award(position, may_capture(position)[0])
            continue
        chosen, fresh = _walk(node, position)
        node = node.children[chosen]
        path.append((position.to_act, node))
        position = _position_after(position, chosen)
        if fresh:
            break
    points = _points_at_end(view, _play_out(position), haggis)
    for seat, each in path:
        each.visits += 1
        others = (sum(points) - points[seat]) / (len(points) - 1)
        each.total += points[seat] - others


def _walk(node: _Node, position: Position) -> tuple[int, bool]:
    """Return the next play, and whether it is new to the tree."""
    plays = candidate_plays(position.hands[position.to_act], position.current, position.table)
    for chosen in plays:
        if chosen not in node.children:
            node.children[chosen] = _Node()
            node.children[chosen].available = 1
            return chosen, True
    for each in plays:
        node.children[each].available += 1
    return max(plays, key=lambda each: node.children[each].upper_bound()), False


def candidate_plays(hand: int, current: int, rules: CombinationRules) -> list[int]:
    """Return the plays of a decision to consider, in the order of the rules of thumb; a pass comes last."""
    if current == NO_PLAY:
        suit_cards = hand & ~FACES
        considered = suit_cards if suit_cards and hand.bit_count() > LARGE_HAND else hand
        return _best_of_each(leads(considered, rules), hand, _lead_order)[:MOST_LEADS]
    return [*_best_of_each(follows(hand, current, rules), hand, _follow_order)[:MOST_FOLLOWS], NO_PLAY]


def _best_of_each(plays: list[int], hand: int, order: Callable[[int], tuple[int, ...]]) -> list[int]:
    """Return the first play of each combination in this order, or a single play that sheds the whole hand."""
    found: dict[int, int] = {}
    for each in sorted(plays, key=order):
        if cards_in(each) == hand:
            return [each]
        found.setdefault(each >> COMBINATION_AT, each)
    return list(found.values())


def _follow_order(play: int) -> tuple[int, ...]:
    return is_bomb(play), *cost(play)


def _lead_order(play: int) -> tuple[int, ...]:
    return is_bomb(play), faces_in(play), *largest_and_lowest_first(play)


def _position_after(position: Position, chosen: int) -> Position:
    return pass_turn(position) if chosen == NO_PLAY else play(position, chosen)


def _play_out(position: Position) -> Position:
    """Return the end of the round when everyone continues by the greedy level's rules of thumb."""
    while not position.is_over():
        if position.award_due:
            position = award(position, may_capture(position)[0])
            continue
        position = _position_after(position, choose_play_of(position))
    return position


def _points_at_end(view: RoundView, position: Position, haggis: int) -> list[int]:
    return [line.total for line in score_position(view.rules, position, haggis, view.bets)]
