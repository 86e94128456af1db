"""A game offers exactly the legal actions, and its record is valid with proven deals."""

import pytest

from engine.errors import Refused
from engine.game import new_game
from engine.matches.events import MatchEnd
from engine.records.replay import replay
from engine.rounds.actions import Bet, Pass
from tests.engine.randomness import seeded


@pytest.mark.parametrize(
    ("ruleset", "players"),
    (("classic", 2), ("classic", 3), ("revised", 3), ("booklet", 2), ("haggish", 2), ("deluxe", 3)),
)
def test_game_of_legal_actions_has_a_valid_record_with_proven_deals(ruleset: str, players: int) -> None:
    rng = seeded(ruleset)
    game = new_game(ruleset, players=players, seed=ruleset, target=60)
    assert (game.round_number, game.events, game.result) == (1, (), None)
    while not game.is_over:
        game = game.act(rng.choice(game.legal_actions()))
    assert game.legal_actions() == ()
    assert game.to_act is None
    record = game.record(*(f"player {seat}" for seat in range(players)))
    assert replay(record).as_json() == {"valid": True, "deals": "proven"}
    assert record.result is not None
    assert game.result is not None
    assert record.result.winners == game.result.winners
    assert game.round_number == len(record.rounds)
    assert isinstance(game.events[-1], MatchEnd)
    assert record.result.scores == game.totals
    assert record.seats[0] == "player 0"


def test_action_returns_a_new_game_and_leaves_the_old_one() -> None:
    game = new_game("classic", seed="values")
    after = game.act(game.legal_actions()[0])
    assert (len(game.history), len(after.history)) == (0, 1)
    assert after.state != game.state
    assert game.act(game.legal_actions()[0]) == after


def test_same_seed_gives_the_same_deals_and_another_seed_others() -> None:
    assert new_game("classic", seed="a").state == new_game("classic", seed="a").state
    assert new_game("classic", seed="a").state != new_game("classic", seed="b").state


def test_actions_that_are_not_legal_are_refused() -> None:
    game = new_game("classic", seed="refused")
    assert Pass() not in game.legal_actions()
    with pytest.raises(Refused, match="You lead this trick"):
        game.act(Pass())


def test_another_seat_may_bet_out_of_turn() -> None:
    game = new_game("classic", seed="bets")
    waiting = 1 - (game.to_act or 0)
    assert game.view(waiting).round.bets_open == (0, 15, 30)
    assert game.act(Bet(30), seat=waiting).state.round.bets[waiting] == 30


def test_game_hides_its_cards_when_it_is_printed() -> None:
    assert repr(new_game("classic", seed="secret")) == "Game()"
