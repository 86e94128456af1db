import pytest

from engine.cards.card import parse_cards
from engine.errors import Refused
from engine.rounds.actions import Award, Pass, Play
from engine.rounds.state import RoundState
from engine.rounds.turn import Expects, check_turn, expected
from engine.rulebook import Clause
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import after, at_every_table, refused, round_of

HANDS = ("7r 9r 2r", "8o J 2o", "Ty Q 2y")
AWARD_DUE = after(round_of("classic", "J Q 2r", "8o 2o", "9y 2y"), "0 plays J Q", "1 passes", "2 passes")
OVER = after(round_of("classic", "7r", "8o K"), "0 plays 7r")

NOT_YOUR_TURN = ("not_your_turn", Clause.TURN_IN_ORDER)
AWARD_FIRST = ("award_due", Clause.AWARD_BEFORE_PLAY)
ROUND_OVER = ("round_over", Clause.ROUND_OVER)


@at_every_table
def test_the_leader_must_play_and_the_others_play_or_pass(rules: TableRules) -> None:
    state = round_of(rules, *HANDS)
    assert expected(state.position) is Expects.PLAY
    assert expected(after(state, "0 plays 7r").position) is Expects.PLAY_OR_PASS


def test_an_award_is_expected_after_a_bombed_trick_of_three() -> None:
    assert expected(AWARD_DUE.position) is Expects.AWARD


def test_nothing_is_expected_when_the_round_is_over() -> None:
    assert expected(OVER.position) is None
    assert OVER.to_act is None


def test_expectations_have_their_published_names() -> None:
    assert [str(each) for each in Expects] == ["play", "play_or_pass", "award"]


@at_every_table
@pytest.mark.parametrize("leader", (0, 1))
def test_only_the_seat_to_act_may_play_pass_or_award(rules: TableRules, leader: int) -> None:
    state = round_of(rules, *HANDS, leader=leader)
    for seat in range(rules.players):
        if seat != leader:
            card = HANDS[seat].split()[0]
            for words in (f"{seat} plays {card}", f"{seat} passes", f"{seat} gives {leader}"):
                assert refused(state, words) == NOT_YOUR_TURN


@pytest.mark.parametrize("state", (AWARD_DUE, after(AWARD_DUE, "1 bets 15")), ids=("no bet", "a bet"))
@pytest.mark.parametrize("seat", (0, 1, 2))
def test_a_due_award_is_reported_even_to_seats_that_are_not_to_act(state: RoundState, seat: int) -> None:
    assert refused(state, f"{seat} passes") == AWARD_FIRST
    assert refused(state, f"{seat} plays 2r") == AWARD_FIRST
    if seat != 0:
        assert refused(state, f"{seat} gives 1") == NOT_YOUR_TURN


@pytest.mark.parametrize("seat", (0, 1))
@pytest.mark.parametrize("what", ("plays K", "passes", "gives 0"))
def test_a_finished_round_is_reported_to_everyone(seat: int, what: str) -> None:
    assert refused(OVER, f"{seat} {what}") == ROUND_OVER


@pytest.mark.parametrize("action", (Play(parse_cards("2r")), Pass(), Award(1)))
def test_the_turn_check_ignores_other_errors_of_the_action(
    action: Play | Pass | Award,
) -> None:
    check_turn(round_of("classic", *HANDS).position, 0, action)
    with pytest.raises(Refused):
        check_turn(round_of("classic", *HANDS).position, 1, action)
