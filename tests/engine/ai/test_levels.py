"""Properties of every level, at every possible table."""

import pytest

from engine.ai.arena import play_round
from engine.ai.interface import Chooser
from engine.ai.levels import LEVELS, level
from engine.cards.deck import SUITS_FOR
from engine.combinations.rules import CombinationRules
from engine.errors import Malformed, Refused
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.awarding import may_capture
from engine.rounds.state import RoundState
from engine.rulesets.model import TableRules
from engine.views.round_view import view_round
from tests.engine.ai.tables import BRIEFLY, another_world, name_of, start, start_at, tables, turns
from tests.engine.randomness import seeded

TABLES = pytest.mark.parametrize("rules", tables(), ids=name_of)
EVERY_LEVEL = pytest.mark.parametrize("chooser", LEVELS.values(), ids=LEVELS)
# The number of rounds to play with a level: the slower it is, the fewer.
ROUNDS = {LEVELS["medium"]: 4, LEVELS["hard"]: 1}


def rounds_of(chooser: Chooser) -> range:
    return range(ROUNDS.get(chooser, 12))


def test_a_level_is_found_by_its_name() -> None:
    assert level("easy") is LEVELS["easy"]


@pytest.mark.parametrize("name", ("", "Easy", "unbeatable"))
def test_an_unknown_level_is_rejected(name: str) -> None:
    with pytest.raises(Malformed) as refused:
        level(name)
    assert (refused.value.code, refused.value.where) == ("unknown_level", "level")


def is_legal(state: RoundState, action: Action) -> bool:
    """Return whether the seat to act may do this, by the lists of legal actions."""
    position, seat = state.position, state.position.to_act
    match action:
        case Award():
            return position.award_due and action.to in may_capture(position)
        case Bet():
            return action.amount in view_round(state, seat).bets_open
        case Pass():
            return bool(position.current) and not position.award_due
        case Play():
            suits = SUITS_FOR[state.rules.players]
            hand, current = position.hands[seat], position.current
            legal = (
                follows(hand, current, CombinationRules(suits))
                if current
                else leads(hand, CombinationRules(suits))
            )
            return not position.award_due and apply(state, seat, action).play in legal


@EVERY_LEVEL
@TABLES
def test_every_choice_of_a_whole_round_is_legal(chooser: Chooser, rules: TableRules) -> None:
    for number in rounds_of(chooser):
        rng = seeded(number)
        for state, action in turns(start_at(rules, number), chooser, rng):
            assert is_legal(state, action)


def test_levels_play_rounds_together_to_the_end() -> None:
    for number in range(12):
        seats = (LEVELS["random"], LEVELS["easy"], LEVELS["medium"])
        assert play_round(start(number, players=3), seats, seeded(number)).is_over


@EVERY_LEVEL
@pytest.mark.parametrize("players", (2, 3))
def test_choices_depend_only_on_the_view_and_the_seed(chooser: Chooser, players: int) -> None:
    differing = 0
    for number in rounds_of(chooser):
        for turn, (state, _) in enumerate(turns(start(number, players=players), chooser, seeded(number))):
            seat = state.position.to_act
            other = another_world(state, seeded((number, turn)))
            differing += other.position.hands != state.position.hands
            views = view_round(state, seat), view_round(other, seat)
            assert views[0] == views[1]
            choices = [chooser(view, seeded(turn), BRIEFLY) for view in views]
            assert choices[0] == choices[1]
    assert differing > len(rounds_of(chooser)) * 5


@EVERY_LEVEL
def test_a_round_is_reproducible_by_its_seed(chooser: Chooser) -> None:
    first, again = ([action for _, action in turns(start(3), chooser, seeded(3))] for _ in range(2))
    assert first == again


@EVERY_LEVEL
def test_a_level_rejects_a_view_of_a_seat_that_is_not_to_act(chooser: Chooser) -> None:
    state = start(1)
    waiting = 1 - state.position.to_act
    for viewer in (waiting, None):
        with pytest.raises(Refused) as refused:
            chooser(view_round(state, viewer), seeded(1), BRIEFLY)
        assert refused.value.code == "not_your_turn"


@EVERY_LEVEL
def test_a_level_rejects_a_view_of_a_finished_round(chooser: Chooser) -> None:
    over = play_round(start(1), (chooser, chooser), seeded(1), BRIEFLY)
    with pytest.raises(Refused, match="Only the seat to act"):
        chooser(view_round(over, 0), seeded(1), BRIEFLY)
