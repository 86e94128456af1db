from collections import Counter

from engine.ai.interface import DEFAULT_BUDGET
from engine.ai.random_level import choose
from engine.ai.turn import action_of, legal_plays
from engine.combinations.plays import NO_PLAY
from engine.rounds.actions import Action, Award, Bet, Pass
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.views.round_view import view_round
from tests.engine.ai.tables import holding, led, start
from tests.engine.randomness import seeded


def choices(state: RoundState, times: int) -> Counter[Action]:
    view = view_round(state, state.to_act)
    rng = seeded(1)
    return Counter(choose(view, rng, DEFAULT_BUDGET) for _ in range(times))


def test_every_legal_play_and_passing_are_equally_likely() -> None:
    state = led(start(1), "2r 9r J", "4r 5g Tg Ty J Q", lead="2r")
    view = view_round(state, state.to_act)
    expected = {action_of(play) for play in [NO_PLAY, *legal_plays(view)]}
    drawn = choices(state, 1000 * len(expected))
    times = [drawn[action] for action in expected]
    assert len(expected) == 8
    assert all(850 < count < 1050 for count in times)


def test_a_leader_never_passes() -> None:
    state = holding(start(1), "2r 9r J", "2r 9r J")
    view = view_round(state, state.to_act)
    allowed = {action_of(play) for play in legal_plays(view)} | {Bet(amount) for amount in view.bets_open}
    assert set(choices(state, 3000)) == allowed


def test_random_occasionally_bets_any_amount_including_zero() -> None:
    bets = {
        action.amount: times for action, times in choices(start(1), 9000).items() if isinstance(action, Bet)
    }
    assert set(bets) == {0, 15, 30}
    assert 300 < sum(bets.values()) < 600


def test_a_bombed_trick_goes_to_either_opponent() -> None:
    state = led(start(1, players=3), "2r 3r J Q", "2o 3o J Q", "2y 3y J Q", lead="J Q")
    winner = state.position.winner
    for _ in range(2):
        state = apply(state, state.position.to_act, Pass()).state
    awards = choices(state, 1000)
    assert set(awards) == {Award(seat) for seat in range(3) if seat != winner}
    assert all(times > 400 for times in awards.values())
