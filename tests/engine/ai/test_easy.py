"""The order of the rules of thumb of `easy`; each rule is tested beside its own module."""

from engine.ai.arena import contest, never_betting, without_bets
from engine.ai.easy import choose
from engine.ai.interface import DEFAULT_BUDGET, Budget
from engine.cards.hand import parse_cards
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.betting import place_bet
from engine.rounds.state import RoundState
from engine.views.round_view import view_round
from tests.engine.ai.tables import holding, led, start
from tests.engine.randomness import seeded

LONG = "2r 4o 6y 8g Tr 3g 7o 5y 9o J Q K"


def chosen(state: RoundState, budget: Budget = DEFAULT_BUDGET) -> Action:
    return choose(view_round(state, state.to_act), seeded(1), budget)


def cards_played(state: RoundState) -> tuple[object, ...]:
    action = chosen(state)
    assert isinstance(action, Play)
    return action.cards


def test_easy_goes_out_if_it_can_even_with_wild_cards() -> None:
    state = without_bets(holding(start(1), "5o 6o J Q K", "5o 6o J Q K"))
    assert cards_played(state) == parse_cards("5o 6o J Q K")


def test_easy_goes_out_by_following() -> None:
    state = led(without_bets(start(1)), f"4r 4g {LONG}", "5o K", lead="4r 4g")
    assert cards_played(state) == parse_cards("5o K")


def test_easy_bets_before_its_first_play() -> None:
    state = holding(start(1), "5o 6o J Q K", "5o 6o J Q K")
    bet = chosen(state)
    assert bet == Bet(30)
    assert isinstance(chosen(apply(state, state.position.to_act, bet).state), Play)


def test_a_poor_hand_plays_without_betting() -> None:
    state = holding(start(1), LONG, LONG)
    state = place_bet(state, 1 - state.position.to_act, 30)
    assert isinstance(chosen(state), Play)


def test_easy_passes_if_it_cannot_beat_the_current_play() -> None:
    state = led(without_bets(start(1)), f"Tg Ty {LONG}", "2o 4o 6r 8r 9y", lead="Tg Ty")
    assert chosen(state) == Pass()


def test_easy_awards_a_bombed_trick() -> None:
    state = led(start(1, players=3), "2r J Q", "2o J Q 3o", "2y J Q 3y", lead="J Q")
    winner = state.position.winner
    for _ in range(2):
        state = apply(state, state.position.to_act, Pass()).state
    assert chosen(state) in {Award(seat) for seat in range(3) if seat != winner}


def test_easy_ignores_the_budget() -> None:
    state = start(1)
    assert chosen(state, Budget(simulations=1000)) == chosen(state)


def test_bets_of_easy_do_not_lose_points_on_average() -> None:
    initial = [start(number) for number in range(150)]
    assert contest(initial, choose, never_betting(choose), 1).mean > 0
