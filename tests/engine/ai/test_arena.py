from random import Random

import pytest

from engine.ai.arena import Margin, contest, never_betting, play_round, starts, without_bets
from engine.ai.interface import Budget
from engine.ai.levels import LEVELS
from engine.cards.deck import haggis_size
from engine.cards.hand import FACES, deck_mask
from engine.rounds.actions import Action
from engine.rulesets.catalogue import rule_set
from engine.views.round_view import RoundView
from tests.engine.ai.tables import start
from tests.engine.randomness import seeded

RANDOM, EASY = LEVELS["random"], LEVELS["easy"]


@pytest.mark.parametrize("players", (2, 3))
def test_rounds_start_with_the_whole_deck_and_each_seat_leads(players: int) -> None:
    initial = list(starts(rule_set("classic").at_table(players=players), 6, seeded(1)))
    assert {state.leader for state in initial} == set(range(players))
    for state in initial:
        suit_cards = [hand & ~FACES for hand in state.dealt]
        assert sum(suit_cards) + state.haggis == deck_mask(players)
        assert state.haggis.bit_count() == haggis_size(players)


def test_the_same_seed_gives_the_same_deals() -> None:
    rules = rule_set("classic").at_table(players=2)
    assert list(starts(rules, 3, seeded(1))) == list(starts(rules, 3, seeded(1)))


def test_without_bets_nobody_may_bet() -> None:
    finished = play_round(without_bets(start(1)), (EASY, EASY), seeded(1))
    assert finished.bets == (0, 0)


def test_a_never_betting_level_meets_opponents_that_bet() -> None:
    finished = [play_round(start(number), (EASY, never_betting(EASY)), seeded(1)) for number in range(20)]
    assert {state.bets[1] for state in finished} == {None}
    assert {state.bets[0] for state in finished} > {None}


@pytest.mark.parametrize("players", (2, 3))
def test_a_level_has_no_margin_over_itself(players: int) -> None:
    initial = [without_bets(start(number, players=players)) for number in range(10)]
    assert contest(initial, EASY, EASY, 1).by_deal == (0.0,) * 10


def test_the_challenger_plays_every_deal_once_from_every_seat() -> None:
    seats: list[int | None] = []

    def recording(view: RoundView, rng: Random, budget: Budget) -> Action:
        if not view.tricks and view.current == 0:
            seats.append(view.seat)
        return EASY(view, rng, budget)

    contest([without_bets(start(1, players=3))], recording, EASY, 1)
    assert seats == [start(1, players=3).leader]


def test_the_margin_on_a_deal_is_independent_of_earlier_deals() -> None:
    initial = [without_bets(start(number)) for number in range(4)]
    assert contest(initial, RANDOM, RANDOM, 1).by_deal[2:] == contest(initial[2:], RANDOM, RANDOM, 1).by_deal


def test_the_margin_is_the_mean_over_deals_with_its_95_percent_interval() -> None:
    margin = Margin((0.0, 2.0, 4.0, 6.0))
    assert margin.mean == 3
    assert margin.interval == pytest.approx(1.96 * (20 / 3) ** 0.5 / 2)


def test_the_budget_is_passed_to_both_levels() -> None:
    given = set()

    def recording(view: RoundView, rng: Random, budget: Budget) -> Action:
        given.add(budget.simulations)
        return EASY(view, rng, budget)

    contest([start(1)], recording, recording, 1, Budget(simulations=7))
    assert given == {7}


@pytest.mark.parametrize("players", (2, 3))
def test_easy_clearly_beats_random(players: int) -> None:
    initial = [without_bets(start(number, players=players)) for number in range(60)]
    assert contest(initial, EASY, RANDOM, 1).mean > 30
