"""Two worlds that differ only in cards that a seat cannot see give it the same observations and masks."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.cards.hand import SUIT_CARD_BITS
from engine.env.actions import ACTIONS
from engine.env.observations import SIZE, Vector
from engine.env.table import Config, Table
from engine.rounds.position import Position
from engine.rounds.state import RoundState
from tests.engine.randomness import seeded

GAMES = 12


def with_other_hidden_cards(state: RoundState, seat: int, rng: Random) -> RoundState:
    """Return the round with the suit cards that a seat cannot see dealt in another way."""
    position = state.position
    others = [each for each in range(state.rules.players) if each != seat]
    hidden = state.haggis
    for each in others:
        hidden |= position.hands[each] & SUIT_CARD_BITS
    cards = [1 << bit for bit in range(45) if hidden >> bit & 1]
    rng.shuffle(cards)
    hands, dealt = list(position.hands), list(state.dealt)
    for each in others:
        size = (hands[each] & SUIT_CARD_BITS).bit_count()
        drawn = sum(cards[:size])
        del cards[:size]
        played = dealt[each] & ~hands[each]
        hands[each] = hands[each] & ~SUIT_CARD_BITS | drawn
        dealt[each] = played | hands[each]
    other = Position(position.table, tuple(hands), *position.parts()[1:])  # type: ignore[arg-type]
    return replace(state, position=other, dealt=tuple(dealt), haggis=sum(cards))


def seen(table: Table, seat: int) -> Vector:
    found = np.zeros(SIZE, np.float32)
    table.write_observation(found, seat)
    return found


@pytest.mark.parametrize(
    ("ruleset", "players"),
    (("classic", 2), ("classic", 3), ("revised", 3), ("booklet", 2), ("haggish", 2), ("deluxe", 3)),
)
def test_observations_do_not_depend_on_hidden_cards(ruleset: str, players: int) -> None:
    rng, compared = seeded(f"{ruleset} {players}"), 0
    for seed in range(GAMES):
        table = Table(Config(ruleset=ruleset, players=players), seed)
        while not table.is_over:
            state = table.state
            for seat in range(players):
                before, mask = seen(table, seat), table.mask()
                world = with_other_hidden_cards(state.round, seat, rng)
                table.state = replace(state, round=world)
                compared += world.position.hands != state.round.position.hands
                assert np.array_equal(seen(table, seat), before)
                if seat == table.seat and not table.selection.combination:
                    other = Table(table.config, 0, table.state)
                    assert np.array_equal(other.mask(), mask)
                table.state = state
            table.step(rng.choice(np.flatnonzero(table.mask()).tolist()))
    assert compared > 100


def test_a_play_that_is_being_made_is_seen_by_nobody_else() -> None:
    rng, compared = seeded("selection"), 0
    for seed in range(GAMES):
        table = Table(Config(players=3), seed)
        while not table.is_over:
            actor = table.seat
            before = {seat: seen(table, seat) for seat in range(3) if seat != actor}
            table.step(rng.choice(np.flatnonzero(table.mask()).tolist()))
            if table.selection.combination:
                compared += 1
                for seat, observation in before.items():
                    assert np.array_equal(seen(table, seat), observation)
    assert compared > 50


def test_the_observer_sees_a_card_of_its_own_change() -> None:
    table = Table(Config(players=2), 1)
    world = with_other_hidden_cards(table.state.round, 1 - table.seat, seeded("own"))
    before = seen(table, table.seat)
    table.state = replace(table.state, round=world)
    assert not np.array_equal(seen(table, table.seat), before)
    assert ACTIONS == 298
