"""Weight worlds by likelihood: how well the others' actions fit what the network would have done in them.

A world is sampled from the cards alone. In each of a number of worlds the round is replayed from its start,
and every choice of another seat is compared with the network's evaluation of all its choices there. Worlds in
which somebody passed on an easily beaten play, or made a lead while holding a better one, get a low weight;
the worlds to try plays in are drawn by weight.

The number of worlds matters: of 48 weighted worlds, 20 are as good as all of them, and simulations in these,
however many, only tell about these.
"""

from bisect import bisect_right
from itertools import accumulate
from math import exp
from random import Random
from typing import Final

from engine.ai.network.arrays import np
from engine.ai.network.candidates import worth_evaluating_in_search
from engine.ai.network.lines import Line, ahead_of, consider, legal_choices
from engine.ai.network.model import Network
from engine.ai.network.passed import NOTHING_PASSED
from engine.ai.network.situation import terms_bits
from engine.ai.search.meter import Meter
from engine.ai.search.worlds import World, sample_world, unseen_cards
from engine.combinations.plays import cards_in
from engine.rounds.awarding import award
from engine.rounds.position import first_position
from engine.rounds.state import table_of
from engine.views.round_view import RoundView

# The most worlds to weigh for a decision, and the fewest that are worth it.
MOST_WEIGHED: Final = 240
FEWEST_WEIGHED: Final = 8
# The batch size, which keeps the arrays small.
BATCH_SIZE: Final = 40
# How many points worse a choice must be to be made e times less often: people and levels are not the network.
POINTS_PER_DOUBT: Final = 3.0
# The upper limit of what a single unlikely choice counts against a world.
MOST_DOUBT: Final = 2.5


class Worlds:
    """The worlds of one decision, each as likely as the others' actions make it."""

    def __init__(self, view: RoundView, hand: int, network: Network, meter: Meter, rng: Random) -> None:
        """Weigh as many worlds as the meter allows; if these are too few, worlds are not weighted."""
        self._view, self._hand, self._rng = view, hand, rng
        self._unseen = unseen_cards(view, hand)
        self._worlds: list[World] = []
        doubts: list[float] = []
        while (batch := self._next_batch(meter)) > 0:
            new_worlds = [self._sample() for _ in range(batch)]
            doubts += doubts_about(view, new_worlds, network)
            self._worlds += new_worlds
        least = min(doubts, default=0.0)
        self._summed = list(accumulate(exp(least - doubt) for doubt in doubts))

    def _next_batch(self, meter: Meter) -> int:
        weighed = len(self._worlds)
        batch = min(meter.worlds_to_weigh(weighed), MOST_WEIGHED - weighed, BATCH_SIZE)
        return batch if weighed + batch >= FEWEST_WEIGHED else 0

    def draw(self, count: int) -> list[World]:
        """Return `count` worlds by weight, evenly spread: equally likely ones occur before any repeats."""
        if not self._worlds:
            return [self._sample() for _ in range(count)]
        step = self._summed[-1] / count
        start = self._rng.random() * step
        places = (bisect_right(self._summed, start + step * number) for number in range(count))
        return [self._worlds[min(place, len(self._worlds) - 1)] for place in places]

    def _sample(self) -> World:
        return sample_world(self._view, self._hand, self._unseen, self._rng)


def doubts_about(view: RoundView, worlds: list[World], network: Network) -> list[float]:
    """Return the evidence against each world: the negative log-likelihood of the others' choices in it."""
    lines: list[Line] = []
    plays_of: list[list[int]] = []
    chosen: list[int] = []
    owner: list[int] = []
    for number, world in enumerate(worlds):
        for line, plays, made in _choices_in(view, world):
            lines.append(line)
            plays_of.append(plays)
            chosen.append(made)
            owner.append(number)
    doubts = [0.0] * len(worlds)
    if lines:
        for number, doubt in zip(owner, _doubts(network, lines, plays_of, chosen), strict=True):
            doubts[number] += doubt
    return doubts


def _doubts(network: Network, lines: list[Line], plays_of: list[list[int]], chosen: list[int]) -> list[float]:
    """Return for each choice how much better the best one looked, up to a limit."""
    choices = consider(network, lines, plays_of, is_worth_evaluating=worth_evaluating_in_search)
    scores = ahead_of(choices)
    best = scores[choices.best(scores)]
    made = np.full(len(lines), -np.inf, dtype=np.float32)
    same = choices.plays == np.array(chosen, dtype=np.int64)[choices.at]
    made[choices.at[same]] = scores[same]
    doubts: list[float] = np.minimum((best - made) / POINTS_PER_DOUBT, MOST_DOUBT).tolist()
    return doubts


def _choices_in(view: RoundView, world: World) -> list[tuple[Line, list[int], int]]:
    """Return every choice that another seat had so far in this world, and what it did."""
    hands = list(world.hands)
    tricks = [*(trick.entries for trick in view.tricks), view.trick]
    for entries in tricks:
        for seat, play in entries:
            hands[seat] |= cards_in(play)
    position = first_position(table_of(view.rules), tuple(hands), view.leader)
    line = Line(position, (NOTHING_PASSED,) * view.rules.players, terms_bits(view.rules))
    found = []
    for number, entries in enumerate(tricks):
        for seat, play in entries:
            if seat != view.seat and len(plays := legal_choices(line)) > 1:
                found.append((Line(line.position, line.passed, line.terms), plays, play))
            line.make(play)
        if line.position.award_due and number < len(view.tricks):
            line.position = award(line.position, view.tricks[number].captured_by)
    return found
