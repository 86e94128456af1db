import pytest

from engine.cards.hand import FACES, deck_mask
from engine.combinations.plays import NO_PLAY
from engine.rounds.playout import play_out, random_hands, random_step
from engine.rounds.position import Position, Table, first_position
from engine.rulesets.terms import BombCapture
from tests.engine.randomness import seeded
from tests.engine.rounds.tables import after, round_of

TABLES = (Table(2), Table(3), Table(3, bomb_capture=BombCapture.NEXT_HIGHEST))


@pytest.mark.parametrize("table", TABLES)
def test_random_hands_have_fourteen_distinct_cards_and_the_face_cards(table: Table) -> None:
    rng = seeded("hands")
    for _ in range(200):
        hands = random_hands(table, rng)
        assert [hand.bit_count() for hand in hands] == [17] * table.players
        assert all(hand & FACES == FACES for hand in hands)
        dealt = [hand & ~FACES for hand in hands]
        assert sum(dealt) & ~deck_mask(table.players) == 0
        assert sum(dealt).bit_count() == 14 * table.players


def test_every_card_is_sometimes_dealt_and_sometimes_left_over() -> None:
    rng, dealt, left = seeded("deck"), 0, 0
    for _ in range(300):
        cards = sum(hand & ~FACES for hand in random_hands(Table(3), rng))
        dealt |= cards
        left |= deck_mask(3) & ~cards
    assert dealt == left == deck_mask(3)


@pytest.mark.parametrize("table", TABLES)
def test_a_playout_ends_the_round_with_all_but_one_out(table: Table) -> None:
    rng = seeded("playout")
    for game in range(100):
        end = play_out(first_position(table, random_hands(table, rng), game % table.players), rng)
        assert end.is_over()
        assert len(end.out) == table.players - 1
        assert [seat for seat, hand in enumerate(end.hands) if not hand] == sorted(end.out)


@pytest.mark.parametrize("table", TABLES)
def test_playouts_are_reproducible_by_their_seed(table: Table) -> None:
    def played() -> Position:
        rng = seeded("again")
        return play_out(first_position(table, random_hands(table, rng), 0), rng)

    assert played() == played()


def test_a_step_leads_follows_passes_or_awards() -> None:
    rng = seeded("steps")
    led = random_step(round_of("classic", "7r", "8o 2o", "9y 2y").position, rng)
    assert led.out == (0,)
    follows = {random_step(led, rng).current for _ in range(50)}
    assert follows == {
        led.current,
        after(round_of("classic", "7r", "8o 2o", "9y"), "0 plays 7r", "1 plays 8o").position.current,
    }
    assert {random_step(led, rng).passes for _ in range(50)} == {0, 1}
    due = after(round_of("classic", "7r", "J Q", "9y 2y"), "0 plays 7r", "1 plays J Q").position
    assert {random_step(due, rng).captor for _ in range(50)} == {0, 2}


def test_a_finished_position_is_returned_unchanged() -> None:
    over = after(round_of("classic", "7r", "8o K"), "0 plays 7r").position
    assert play_out(over, seeded("over")) is over
    assert over.current != NO_PLAY
