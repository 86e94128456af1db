from math import ceil

import pytest

from engine.ai.interface import Budget
from engine.ai.levels import LEVELS
from engine.ai.network.model import Network
from engine.ai.network.weights import network_for
from engine.ai.search import likelihood
from engine.ai.search.likelihood import FEWEST_WEIGHED, MOST_DOUBT, Worlds, doubts_about
from engine.ai.search.meter import WEIGHED_AT_ONCE, WEIGHED_PER_TRY, Meter
from engine.ai.search.worlds import World, sample_world, unseen_cards
from engine.cards.hand import parse_cards
from engine.rounds.actions import Pass, Play
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.views.round_view import RoundView, view_round
from tests.engine.ai.tables import another_world, holding, start, turns
from tests.engine.randomness import seeded

MINE = "2r 2o 4y 5g 6r 6o 8y Tg J Q K"
# No suit cards beat a four, or small cards without any other use do.
WEAK, STRONG = "3o 3y 3g 4r 4o 2g J Q K", "5r 6g 7o 7r 9y Tr J Q K"


def after_a_pass(other: str) -> RoundState:
    """Return a round in which the seat to act led a single four and the other seat passed."""
    state = start(1)
    leader = state.position.to_act
    hands = (MINE, other) if leader == 0 else (other, MINE)
    led = apply(holding(state, *hands), leader, Play(parse_cards("4y"))).state
    return apply(led, 1 - leader, Pass()).state


def world_of(state: RoundState) -> World:
    return World(state.position.hands, 0)


def doubts_after_a_pass() -> list[float]:
    """Return the doubts about the world with the strong hand and the world with the weak hand."""
    state = after_a_pass(STRONG)
    worlds = [world_of(after_a_pass(other)) for other in (STRONG, WEAK)]
    return doubts_about(view_round(state, state.to_act), worlds, network_for(2))


def test_a_world_with_an_easily_beaten_pass_gets_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood, "MOST_DOUBT", 100.0)
    doubted, believed = doubts_after_a_pass()
    assert doubted > believed


def test_the_doubt_of_a_single_choice_is_bounded() -> None:
    assert max(doubts_after_a_pass()) == MOST_DOUBT


def test_all_worlds_are_equally_likely_before_another_seat_has_chosen() -> None:
    state = start(2)
    view = view_round(state, state.to_act)
    hand = view.hand or 0
    worlds = [sample_world(view, hand, unseen_cards(view, hand), seeded(number)) for number in range(5)]
    assert doubts_about(view, worlds, network_for(2)) == [0.0] * 5


def drawn(view: RoundView, weighed: int, count: int = 20) -> list[World]:
    meter = Meter(Budget(simulations=ceil(weighed / WEIGHED_PER_TRY)), default_tries=1)
    return Worlds(view, view.hand or 0, network_for(view.rules.players), meter, seeded(3)).draw(count)


def test_weighted_worlds_fit_everything_seen_in_a_three_player_round() -> None:
    for state, _ in turns(start(2, players=3), LEVELS["easy"], seeded(2)):
        if state.position.award_due:
            continue
        view = view_round(state, state.to_act)
        for world in drawn(view, weighed=FEWEST_WEIGHED):
            assert tuple(each.bit_count() for each in world.hands) == view.counts
            assert world.hands[view.seat or 0] == view.hand


def test_a_small_budget_weighs_no_worlds() -> None:
    state = start(2)
    view = view_round(state, state.to_act)
    assert len({world.hands for world in drawn(view, weighed=FEWEST_WEIGHED // 2)}) == 20
    assert len({world.hands for world in drawn(view, weighed=FEWEST_WEIGHED)}) <= FEWEST_WEIGHED


def test_equally_likely_worlds_are_all_drawn_before_one_repeats() -> None:
    view = view_round(start(2), start(2).to_act)
    assert len({world.hands for world in drawn(view, weighed=60, count=60)}) == 60


@pytest.mark.parametrize(("milliseconds", "weighed"), ((1000, 3 * WEIGHED_AT_ONCE), (50, 0)))
def test_the_clock_is_checked_before_and_between_batches_of_weighed_worlds(
    milliseconds: float, weighed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If weighing a few worlds takes an eighth of the time, its share is used up after three batches."""
    now = [5.0]
    seen: list[int] = []

    def slowly(_: RoundView, worlds: list[World], __: Network) -> list[float]:
        now[0] += 0.13
        seen.append(len(worlds))
        return [0.0] * len(worlds)

    monkeypatch.setattr(likelihood, "doubts_about", slowly)
    view = view_round(start(2), start(2).to_act)
    meter = Meter(Budget(milliseconds=milliseconds, clock=lambda: now[0]), default_tries=1)
    Worlds(view, view.hand or 0, network_for(2), meter, seeded(1))
    assert sum(seen) == weighed


def test_hidden_cards_do_not_change_the_drawn_worlds() -> None:
    state = after_a_pass(STRONG)
    other = another_world(state, seeded(5))
    views = [view_round(each, state.to_act) for each in (state, other)]
    assert drawn(views[0], 12) == drawn(views[1], 12)
