import pytest

from engine.ai.levels import LEVELS
from engine.ai.network.passed import NOTHING_PASSED, Passed, after_pass
from engine.ai.network.situation import Row, row_of, row_of_view, terms_bits
from engine.ai.network.weights import network_for
from engine.combinations.kinds import Kind, number_of
from engine.combinations.plays import NO_PLAY, play_of
from engine.rounds.actions import Pass
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.rulesets.model import TableRules
from engine.views.round_view import view_round
from tests.engine.ai.tables import BRIEFLY, another_world, name_of, start, start_at, tables
from tests.engine.randomness import seeded


def rows_of_a_round(initial: RoundState) -> list[tuple[Row, Row]]:
    """Return, for every turn, the row built from the position and passes and the row built from the view."""
    found = []
    state, passed = initial, (NOTHING_PASSED,) * initial.rules.players
    rng = seeded(1)
    while (seat := state.to_act) is not None:
        view = view_round(state, seat)
        if not state.position.award_due:
            found.append((row_of(state.position, passed, terms_bits(state.rules)), row_of_view(view)))
        action = LEVELS["easy"](view, rng, BRIEFLY)
        if isinstance(action, Pass):
            passed = after_pass(passed, seat, state.position.current)
        state = apply(state, seat, action).state
    return found


@pytest.mark.parametrize("rules", tables(), ids=name_of)
def test_rows_from_views_equal_rows_from_positions(rules: TableRules) -> None:
    for number in range(3):
        for by_position, by_view in rows_of_a_round(start_at(rules, number)):
            assert by_position == by_view


def test_hidden_cards_do_not_change_the_row() -> None:
    state = start(1, players=3)
    other = another_world(state, seeded(2))
    assert other.position.hands != state.position.hands
    nothing = (NOTHING_PASSED,) * 3
    assert row_of(state.position, nothing, 0) == row_of(other.position, nothing, 0)


def test_a_pass_on_a_low_pair_is_stored_until_a_pass_on_a_lower_one() -> None:
    pairs = [play_of(number_of(Kind.SET, top, 2, 1), 0) for top in (7, 9, 4)]
    passed: tuple[Passed, ...] = (NOTHING_PASSED, NOTHING_PASSED)
    lowest = []
    for pair in pairs:
        passed = after_pass(passed, 1, pair)
        lowest.append(passed[1][1])
    assert lowest == [7, 7, 4]
    assert passed[0] == NOTHING_PASSED
    assert after_pass(passed, 0, NO_PLAY)[1] == passed[1]


@pytest.mark.parametrize("players", (2, 3))
def test_the_packaged_network_fits_its_features(players: int) -> None:
    assert network_for(players).players == players
