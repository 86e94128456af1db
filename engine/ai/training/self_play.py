"""Play rounds of a network against itself, many in parallel."""

from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.ai.network.arrays import Bools, Ints, np
from engine.ai.network.candidates import costs_several_wilds, worth_evaluating
from engine.ai.network.lines import Choices, Line, ahead_of, consider, decision
from engine.ai.network.model import Network
from engine.ai.network.passed import NOTHING_PASSED
from engine.ai.network.situation import terms_bits
from engine.ai.training.samples import Samples, Step, targets_of, to_samples
from engine.cards.hand import deck_mask
from engine.rounds.ending import score_position
from engine.rounds.playout import random_hands
from engine.rounds.position import first_position
from engine.rounds.state import table_of
from engine.rulesets.model import TableRules
from engine.scoring.captured_cards import points_of

AT_ONCE: Final = 200
# One decision in this many is made with noise, to explore plays that the network does not prefer.
NOISY_ONE_IN: Final = 10
NOISE_POINTS: Final = 4.0
# The fraction evaluated of the plays that cost a large hand several wild cards, drawn for each decision.
EVALUATED_FRACTION: Final = 0.2


@dataclass(slots=True)
class _Round:
    """A round in progress."""

    rules: TableRules
    line: Line
    haggis: int
    steps: list[Step] = field(default_factory=list)


class SelfPlay:
    """A number of rounds in parallel; each one that ends is replaced by a new one."""

    def __init__(
        self, network: Network, tables: list[TableRules], rng: Random, *, at_once: int = AT_ONCE
    ) -> None:
        """Deal the first rounds."""
        self._network = network
        self._tables = tables
        self._rng = rng
        self._noise = np.random.default_rng(rng.getrandbits(64))
        self._rounds = [self._deal() for _ in range(at_once)]
        self._steps: list[Step] = []
        self._targets: list[tuple[float, float, float]] = []
        self.finished = 0

    def samples(self, least: int) -> Samples:
        """Play until the finished rounds have at least `least` decisions, and return their samples."""
        while len(self._steps) < least:
            self._step()
        found = to_samples(self._steps, self._targets)
        self._steps, self._targets = [], []
        return found

    def _deal(self) -> _Round:
        rules = self._rng.choice(self._tables)
        table = table_of(rules)
        hands = random_hands(table, self._rng)
        haggis = deck_mask(rules.players)
        for hand in hands:
            haggis &= ~hand
        position = first_position(table, hands, self._rng.randrange(rules.players))
        line = Line(position, (NOTHING_PASSED,) * rules.players, terms_bits(rules))
        return _Round(rules, line, haggis)

    def _step(self) -> None:
        """Make one decision in every round."""
        plays_of = [self._next_decision(place) for place in range(len(self._rounds))]
        choices = consider(
            self._network,
            [each.line for each in self._rounds],
            plays_of,
            is_worth_evaluating=self._is_worth_evaluating,
        )
        scores = ahead_of(choices)
        preferred = choices.best(scores)
        best = choices.best(scores + self._noise_for(choices))
        expected = scores[preferred].tolist()
        explored = (preferred != best).tolist()
        features = choices.features[best]
        for place, play in enumerate(choices.plays[best].tolist()):
            each = self._rounds[place]
            position = each.line.position
            captured = tuple([points_of(each.rules.card_points, pile) for pile in position.captured])
            each.steps.append(
                Step(
                    position.to_act,
                    features[place],
                    choices.situations[place],
                    expected[place],
                    explored[place],
                    captured,
                )
            )
            each.line.make(play)

    def _next_decision(self, place: int) -> list[int]:
        while not (plays := decision(self._rounds[place].line, self._rng)):
            self._learn_from(self._rounds[place])
            self._rounds[place] = self._deal()
        return plays

    def _is_worth_evaluating(self, plays: Ints, at: Ints, hands: Ints) -> Bools:
        """Evaluate only some of the plays that cost several wild cards, which speeds up the rounds."""
        skipped = costs_several_wilds(plays, hands[at]) & (
            self._noise.random(len(plays)) >= EVALUATED_FRACTION
        )
        found: Bools = worth_evaluating(plays, at, hands) & ~skipped
        return found

    def _noise_for(self, choices: Choices) -> np.ndarray:
        noisy: Bools = self._noise.random(int(choices.at[-1]) + 1) < 1 / NOISY_ONE_IN
        drawn = self._noise.gumbel(size=len(choices.plays)).astype(np.float32)
        return drawn * NOISE_POINTS * noisy[choices.at]

    def _learn_from(self, ended: _Round) -> None:
        position = ended.line.position
        self.finished += 1
        self._steps += ended.steps
        self._targets += targets_of(
            ended.steps, points_without_bets(ended.rules, ended.line, ended.haggis), position.out[0]
        )


def points_without_bets(rules: TableRules, line: Line, haggis: int) -> list[int]:
    """Return the scores of a finished line, without bets."""
    sheet = score_position(rules, line.position, haggis, (0,) * rules.players)
    return [each.total for each in sheet]
