from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from engine.cards.card import parse_cards
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Kind
from engine.rounds.actions import Action, Award, Bet, Pass, Play


def test_there_are_four_kinds_of_action() -> None:
    assert get_args(Action) == (Play, Pass, Bet, Award)


def test_a_play_may_be_unnamed() -> None:
    assert Play(parse_cards("7r")).named == UNNAMED
    assert Play(parse_cards("7r"), Named(Kind.SET)) != Play(parse_cards("7r"))


def test_actions_are_values() -> None:
    actions = [Play(parse_cards("7r")), Pass(), Bet(15), Award(1)]
    again = [Play(parse_cards("7r")), Pass(), Bet(15), Award(1)]
    assert actions == again
    assert len({*actions, *again}) == 4
    with pytest.raises(FrozenInstanceError):
        Bet(15).amount = 30  # type: ignore[misc]
