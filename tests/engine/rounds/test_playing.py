import pytest

from engine.rounds.position import NOBODY
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    after,
    at_every_table,
    at_tables_of_three,
    at_tables_of_two,
    hands_of,
    in_words,
    round_of,
)

OF_THREE = ("7r 9r 2r", "8o J 2o", "Ty Q 2y")


@at_every_table
def test_played_cards_move_from_the_hand_to_the_trick(rules: TableRules) -> None:
    for leader in range(rules.players):
        start = round_of(rules, *OF_THREE[: rules.players], leader=leader)
        card = OF_THREE[leader].split()[0]
        state = after(start, f"{leader} plays {card}")
        assert in_words(state.position.pile) == card
        assert card not in hands_of(state)[leader]
        others = [seat for seat in range(rules.players) if seat != leader]
        assert [hands_of(state)[seat] for seat in others] == [hands_of(start)[seat] for seat in others]


def test_face_cards_of_different_players_are_distinct_in_the_trick() -> None:
    position = after(
        round_of("classic", "J 2r", "J Q 3r", "K 4r"), "0 plays J", "1 plays Q", "2 plays K"
    ).position
    assert in_words(position.pile) == "J Q K"
    assert position.pile.bit_count() == 3


@at_tables_of_three
def test_the_last_to_play_is_winning_and_the_previous_play_is_below(rules: TableRules) -> None:
    state = after(round_of(rules, *OF_THREE), "0 plays 7r")
    assert (state.position.winner, state.position.below) == (0, NOBODY)
    state = after(state, "1 plays 8o")
    assert (state.position.winner, state.position.below) == (1, 0)
    state = after(state, "2 passes", "0 plays 9r")
    assert (state.position.winner, state.position.below) == (0, 1)


@at_tables_of_three
def test_a_play_resets_the_passes(rules: TableRules) -> None:
    state = after(round_of(rules, *OF_THREE), "0 plays 7r", "1 passes", "2 plays Ty", "0 passes")
    assert state.position.passes == 1
    assert state.to_act == 1


@pytest.mark.clause("deluxe.out.ends-at-once-for-two", "revised.tricks.going-out-ends-it-for-two")
@at_tables_of_two
def test_with_two_players_trick_and_round_end_when_one_goes_out(rules: TableRules) -> None:
    state = after(round_of(rules, "7r 9r", "8o K 2o"), "0 plays 7r", "1 plays 8o", "0 plays 9r")
    assert state.is_over
    assert state.trick == ()
    assert state.tricks[-1].winner == 0
    assert in_words(state.position.captured[0]) == "7r 9r 8o"


@pytest.mark.clause(
    "common.ending.all-but-one",
    "common.ending.last-plays-no-more",
    "deluxe.out.ends-at-the-second-for-three",
    "revised.tricks.two-out-end-it-for-three",
    "booklet.tricks.over-when-all-but-one-out",
)
@at_tables_of_three
def test_with_three_players_trick_and_round_end_when_the_second_goes_out(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", "8o", "Ty K 2y"), "0 plays 7r")
    assert not state.is_over
    state = after(state, "1 plays 8o")
    assert state.is_over
    assert state.to_act is None
    assert hands_of(state) == ("", "", "2y Ty K")


@pytest.mark.clause(
    "common.ending.all-but-one",
    "common.ending.last-plays-no-more",
    "booklet.tricks.over-when-all-but-one-out",
)
@at_every_table
def test_the_last_player_may_not_answer_the_last_card_even_with_a_bomb(
    rules: TableRules,
) -> None:
    if rules.players == 2:
        state = after(round_of(rules, "7r", "J Q K 2o"), "0 plays 7r")
    else:
        state = after(round_of(rules, "7r", "8o", "J Q K 2o"), "0 plays 7r", "1 plays 8o")
    assert state.is_over
    assert hands_of(state)[-1] == "2o J Q K"
