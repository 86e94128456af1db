import pytest

from engine.cards.hand import mask_of, parse_cards
from engine.combinations.plays import NO_PLAY
from engine.rounds.passing import pass_turn
from engine.rounds.playing import play
from engine.rounds.position import NOBODY, Position, Table, first_position
from engine.rulesets.terms import BombCapture
from tests.engine.rounds.tables import after, round_of

HANDS = tuple(mask_of(parse_cards(cards)) for cards in ("7r 9r", "8o 2o", "Ty 2y"))
TWO, THREE, TOURNAMENT = Table(2), Table(3), Table(3, bomb_capture=BombCapture.NEXT_HIGHEST)


@pytest.mark.parametrize(("players", "suits"), ((2, 4), (3, 5)))
def test_two_players_use_four_suits_and_three_use_five(players: int, suits: int) -> None:
    assert Table(players).suits == suits


def test_a_round_starts_with_the_leader_and_an_empty_table() -> None:
    start = first_position(THREE, HANDS, 2)
    assert (start.to_act, start.hands, start.captured, start.pile) == (2, HANDS, (0, 0, 0), 0)
    assert (start.current, start.winner, start.below, start.captor) == (NO_PLAY, NOBODY, NOBODY, NOBODY)
    assert (start.passes, start.award_due, start.out, start.opposing) == (0, False, (), ())
    assert not start.is_over()
    assert not start.all_but_one_out()


def test_positions_with_equal_parts_are_equal_and_hash_equal() -> None:
    one, other = (first_position(Table(3), HANDS, 0) for _ in range(2))
    assert one is not other
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1


@pytest.mark.parametrize(
    "other",
    (
        first_position(THREE, HANDS, 1),
        first_position(THREE, (HANDS[0], HANDS[2], HANDS[1]), 0),
        first_position(TOURNAMENT, HANDS, 0),
        first_position(TWO, HANDS[:2], 0),
        "a position",
    ),
)
def test_positions_with_different_parts_or_tables_differ(other: object) -> None:
    assert first_position(THREE, HANDS, 0) != other


def test_a_play_or_pass_returns_a_new_position() -> None:
    start = first_position(THREE, HANDS, 0)
    before = start.parts()
    chosen = 6 << 48 | mask_of(parse_cards("7r"))
    after_play = play(start, chosen)
    middle = after_play.parts()
    after_pass = pass_turn(after_play)
    assert (start.parts(), after_play.parts()) == (before, middle)
    assert len({before, middle, after_pass.parts()}) == 3


def test_parts_contain_everything_but_the_table() -> None:
    start = first_position(THREE, HANDS, 0)
    assert Position(THREE, *start.parts()).parts() == start.parts()  # type: ignore[arg-type]
    assert hash(start.parts()) == hash(first_position(TOURNAMENT, HANDS, 0).parts())


def test_all_but_one_may_be_out_before_the_round_is_over() -> None:
    position = after(
        round_of("classic", "J Q", "2r", "8r 9r"), "0 plays J Q", "1 passes", "2 passes"
    ).position
    assert not position.all_but_one_out()
    state = after(
        round_of("classic", "J Q", "2r 2o", "8r"), "0 plays J Q", "1 passes", "2 passes", "0 gives 1"
    )
    state = after(state, "1 plays 2r", "2 plays 8r")
    assert state.position.all_but_one_out()
    assert state.position.is_over()
    state = after(round_of("classic", "7r", "J Q", "8r 9r"), "0 plays 7r", "1 plays J Q")
    assert state.position.all_but_one_out()
    assert not state.position.is_over()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    (
        (TWO, Table(2), True),
        (THREE, TOURNAMENT, False),
        (TOURNAMENT, Table(3, bomb_capture=BombCapture.NEXT_HIGHEST), True),
        (TWO, THREE, False),
    ),
)
def test_tables_with_the_same_rules_of_tricks_are_the_same(one: Table, other: Table, *, same: bool) -> None:
    assert one.same_as(other) is same
