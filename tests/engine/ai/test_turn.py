import pytest

from engine.ai.turn import action_of, hand_to_act, legal_plays
from engine.combinations.plays import NO_PLAY
from engine.errors import Refused
from engine.rounds.actions import Pass
from engine.rounds.apply import apply
from engine.views.round_view import view_round
from tests.engine.ai.tables import holding, led, start


def test_no_play_becomes_a_pass() -> None:
    assert action_of(NO_PLAY) == Pass()


def test_an_ambiguous_play_is_made_as_its_own_combination() -> None:
    state = holding(start(1), "5r J Q K", "5r J Q K")
    plays = legal_plays(view_round(state, state.to_act))
    made = [apply(state, state.position.to_act, action_of(play)).play for play in plays]
    assert made == plays


def test_a_follower_gets_the_plays_that_beat_the_current_one() -> None:
    state = led(start(1), "6r 7r", "5o 6o 7o J", lead="6r")
    plays = legal_plays(view_round(state, state.to_act))
    assert [str(action_of(play)) for play in plays] == [str(action_of(play)) for play in sorted(plays)]
    assert len(plays) == 2


def test_a_spectator_has_no_turn() -> None:
    with pytest.raises(Refused) as refused:
        hand_to_act(view_round(start(1), None))
    assert refused.value.code == "not_your_turn"
