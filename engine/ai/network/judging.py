"""Evaluate a decision with the network: the plays worth considering, each with its expected outcome."""

from dataclasses import dataclass

from engine.ai.network.arrays import Floats, Ints, np
from engine.ai.network.bets import at_stake
from engine.ai.network.candidates import worth_evaluating
from engine.ai.network.features import Situations
from engine.ai.network.model import AHEAD, FIRST_OUT, OWN, Network
from engine.ai.network.situation import HAND, row_of_view
from engine.ai.turn import legal_plays
from engine.combinations.plays import NO_PLAY
from engine.rounds.turn import Expects
from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView


@dataclass(frozen=True, slots=True)
class Judged:
    """The plays and, for each, the expected lead, the chance of going out first, and the expected points."""

    plays: Ints
    worth: Floats
    chance: Floats
    points: Floats

    def best(self) -> int:
        """Return the index of the play with the highest value."""
        return int(self.worth.argmax())


def judge(view: RoundView, network: Network) -> Judged:
    """Return the network's evaluation of each play of the seat to act, including a pass if allowed."""
    plays = candidates(view)
    rows = np.array([row_of_view(view)], dtype=np.int64)
    at = np.zeros(len(plays), dtype=np.int64)
    selected = worth_evaluating(plays, at, rows[:, HAND])
    plays, at = plays[selected], at[selected]
    answers = network.answers(Situations(rows, view.rules.players), plays, at)
    chance: Floats = (1 / (1 + np.exp(-answers[:, FIRST_OUT]))).astype(np.float32)
    if view.out:
        chance[:] = 0
    seat = view.seat or 0
    points: Floats = answers[:, OWN] + points_of(view.rules.card_points, view.captured[seat])
    worth: Floats = answers[:, AHEAD] + at_stake(view, chance, points)
    return Judged(plays, worth, chance, points)


def candidates(view: RoundView) -> Ints:
    """Return every legal play, including a pass if the seat may pass."""
    plays = legal_plays(view)
    if view.expects is Expects.PLAY_OR_PASS:
        plays.append(NO_PLAY)
    return np.array(plays, dtype=np.int64)
