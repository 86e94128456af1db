import pytest

from engine.ai.levels import LEVELS
from engine.ai.search.worlds import sample_world, unseen_cards
from engine.cards.hand import FACES_AT, deck_mask
from engine.views.round_view import view_round
from tests.engine.ai.tables import start, turns
from tests.engine.randomness import seeded


@pytest.mark.parametrize("players", (2, 3))
def test_a_world_fits_everything_the_seat_has_seen(players: int) -> None:
    rng = seeded(players)
    for state, _ in turns(start(1, players=players), LEVELS["easy"], seeded(1)):
        view = view_round(state, state.to_act)
        hand = view.hand or 0
        world = sample_world(view, hand, unseen_cards(view, hand), rng)
        assert world.hands[view.seat or 0] == hand
        assert tuple(each.bit_count() for each in world.hands) == view.counts
        assert tuple(each >> FACES_AT for each in world.hands) == view.faces
        seen = view.pile
        for captured in view.captured:
            seen |= captured
        suit_cards = [each & deck_mask(players) for each in (*world.hands, world.haggis, seen)]
        assert sum(suit_cards) == deck_mask(players)


def test_sampled_worlds_differ() -> None:
    state = start(1)
    view = view_round(state, state.to_act)
    hand = view.hand or 0
    rng = seeded(1)
    assert len({sample_world(view, hand, unseen_cards(view, hand), rng).hands for _ in range(20)}) == 20
