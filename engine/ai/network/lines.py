"""Play many rounds in parallel with a network: all their decisions are evaluated in one batch.

A line is one round: a real one in training, a hypothetical one in a search. Every seat chooses only by what
it may see.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from engine.ai.network.arrays import Bools, Floats, Ints, np
from engine.ai.network.candidates import worth_evaluating
from engine.ai.network.features import Situations
from engine.ai.network.model import AHEAD, Network
from engine.ai.network.passed import Passed, after_pass
from engine.ai.network.situation import HAND, row_of
from engine.combinations.plays import NO_PLAY
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.awarding import award, may_capture
from engine.rounds.passing import pass_turn
from engine.rounds.playing import play
from engine.rounds.position import Position

# Returns whether each play is worth evaluating, from the plays, the index of each play's situation, and the
# hands.
Pruning: TypeAlias = Callable[[Ints, Ints, Ints], Bools]


@dataclass(slots=True)
class Line:
    """A round at one moment, and what each seat has passed on."""

    position: Position
    passed: tuple[Passed, ...]
    terms: int

    def make(self, chosen: int) -> None:
        """Advance by a play, or by a pass if `chosen` is NO_PLAY."""
        position = self.position
        if chosen == NO_PLAY:
            self.passed = after_pass(self.passed, position.to_act, position.current)
            self.position = pass_turn(position)
        else:
            self.position = play(position, chosen)


@dataclass(frozen=True, slots=True)
class Choices:
    """The plays of many decisions in one batch, with the network's answers and each play's decision index."""

    plays: Ints
    at: Ints
    answers: Floats
    situations: Floats
    features: Floats

    def best(self, scores: Floats) -> Ints:
        """Return the index of the play with the best score for each decision."""
        starts = np.flatnonzero(np.diff(self.at, prepend=-1))
        highest = np.maximum.reduceat(scores, starts)
        where = np.flatnonzero(scores == highest[self.at])
        found: Ints = where[np.flatnonzero(np.diff(self.at[where], prepend=-1))]
        return found


def decision(line: Line, rng: Random) -> list[int]:
    """Return the plays of the next decision, or none when the round is over.

    Forced steps are made at once: a pass when no play beats the current one, and an award, which goes to a
    random opponent.
    """
    while not line.position.is_over():
        position = line.position
        if position.award_due:
            captors = may_capture(position)
            line.position = award(position, captors[int(rng.random() * len(captors))])
            continue
        plays = legal_choices(line)
        if plays != [NO_PLAY]:
            return plays
        line.make(NO_PLAY)
    return []


def legal_choices(line: Line) -> list[int]:
    """Return every play of the seat to act, including a pass if it may pass."""
    position = line.position
    hand, table = position.hands[position.to_act], position.table
    if position.current == NO_PLAY:
        return leads(hand, table)
    return [*follows(hand, position.current, table), NO_PLAY]


def consider(
    network: Network,
    lines: Sequence[Line],
    plays_of: Sequence[list[int]],
    *,
    is_worth_evaluating: Pruning = worth_evaluating,
) -> Choices:
    """Evaluate every play that is worth it in these lines, each from the view of the seat to act."""
    rows = np.array([row_of(line.position, line.passed, line.terms) for line in lines], dtype=np.int64)
    plays = np.array([play for plays in plays_of for play in plays], dtype=np.int64)
    at = np.repeat(np.arange(len(rows)), [len(plays) for plays in plays_of])
    selected = is_worth_evaluating(plays, at, rows[:, HAND])
    plays, at = plays[selected], at[selected]
    situations = Situations(rows, network.players)
    features = situations.play_features(plays, at)
    answers = network.answer(situations.features, features, at)
    return Choices(plays, at, answers, situations.features, features)


def ahead_of(choices: Choices) -> Floats:
    """Return the score by which a seat chooses when it plays as well as the network can."""
    found: Floats = choices.answers[:, AHEAD]
    return found
