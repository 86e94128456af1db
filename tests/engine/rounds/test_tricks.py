import pytest

from engine.combinations.plays import NO_PLAY
from engine.rounds.events import Out, TrickEnd
from engine.rounds.position import NOBODY
from engine.rounds.tricks import won_by_bomb
from engine.rounds.turn import Expects, expected
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    act,
    after,
    at_every_table,
    at_tables_of_three,
    at_tables_of_two,
    captured,
    passed,
    round_of,
    where_the_winner_chooses,
)

THREE_HANDS = ("7r 9r 2r", "8o J 2o", "Ty Q 2y")


# --- Who wins, captures and leads -------------------------------------------------------------------------


@pytest.mark.clause(
    "common.tricks.highest-wins", "common.tricks.winner-captures", "common.tricks.winner-leads"
)
@at_every_table
def test_the_highest_combination_wins_and_captures_the_trick_and_leads(rules: TableRules) -> None:
    players = rules.players
    state = after(round_of(rules, *THREE_HANDS), "0 plays 7r", "1 plays 8o")
    state = after(state, *["2 passes"][: players - 2], "0 plays 9r", "1 plays J")
    state = passed(state)
    assert captured(state) == ("", "7r 9r 8o J", "")[:players]
    assert state.to_act == 1
    assert expected(state.position) is Expects.PLAY
    assert state.position.pile == 0


@pytest.mark.clause("common.tricks.winner-captures", "common.tricks.winner-leads")
@at_every_table
def test_an_unbeaten_lead_is_captured_by_the_leader_who_leads_again(rules: TableRules) -> None:
    players = rules.players
    for leader in range(players):
        card = THREE_HANDS[leader].split()[0]
        state = round_of(rules, *THREE_HANDS[:players], leader=leader)
        state = passed(after(state, f"{leader} plays {card}"))
        assert captured(state)[leader] == card
        assert state.to_act == leader


@at_every_table
def test_captured_tricks_accumulate(rules: TableRules) -> None:
    state = passed(after(round_of(rules, *THREE_HANDS), "0 plays 9r"))
    state = passed(after(state, "0 plays 7r"))
    assert captured(state)[0] == "7r 9r"


@at_every_table
def test_ending_a_trick_resets_everything_but_winner_and_captor(rules: TableRules) -> None:
    state = passed(after(round_of(rules, *THREE_HANDS), "0 plays 7r", "1 plays 8o"))
    position = state.position
    assert (position.pile, position.current, position.below, position.passes) == (0, NO_PLAY, NOBODY, 0)
    assert (position.winner, position.captor) == (1, 1)


# --- The lead passes left ---------------------------------------------------------------------------------


@pytest.mark.clause("common.tricks.lead-passes-left")
@at_tables_of_three
@pytest.mark.parametrize("winner", (0, 1, 2))
def test_if_the_winner_is_out_the_left_neighbour_leads(rules: TableRules, winner: int) -> None:
    left = (winner + 1) % 3
    hands = ["7r 9r", "8o J", "Ty Q"]
    hands[winner] = "6g"
    state = round_of(rules, *hands, leader=winner)
    state = passed(after(state, f"{winner} plays 6g"))
    assert captured(state)[winner] == "6g"
    assert state.to_act == left
    assert expected(state.position) is Expects.PLAY


@pytest.mark.clause("common.tricks.lead-passes-left")
@at_tables_of_three
@pytest.mark.parametrize("winner", (0, 1, 2))
def test_a_winner_next_to_a_player_who_is_out_leads(rules: TableRules, winner: int) -> None:
    left, right = (winner + 1) % 3, (winner + 2) % 3
    hands = [""] * 3
    hands[left], hands[right], hands[winner] = "5g", "6y 2y", "9r 2r"
    state = round_of(rules, *hands, leader=left)
    state = after(state, f"{left} plays 5g", f"{right} plays 6y", f"{winner} plays 9r", f"{right} passes")
    assert state.to_act == winner


# --- Bombs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "bomb"),
    (("3r 5o 7y 9g", True), ("J Q", True), ("3r 5r 7r 9r", True), ("K", False), ("9g J Q K", False)),
)
def test_a_trick_is_bombed_only_if_a_bomb_is_on_top(cards: str, *, bomb: bool) -> None:
    name = " as kind=set" if cards == "9g J Q K" else ""
    state = after(round_of("classic", f"{cards} 2b", "4r 4o", "4y"), f"0 plays {cards}{name}")
    assert won_by_bomb(state.position.current) is bomb


@pytest.mark.clause(
    "haggish.bombs.other-player-captures", "haggish.bombs.bomber-leads", "common.tricks.bomb-chosen-opponent"
)
@at_tables_of_two
@pytest.mark.parametrize("bomber", (0, 1))
def test_with_two_players_a_bombed_trick_goes_to_the_opponent_and_the_bomber_leads(
    rules: TableRules, bomber: int
) -> None:
    hands = ["9r 2r", "9r 2r"]
    hands[bomber] = "J K 2o"
    other = 1 - bomber
    state = round_of(rules, *hands, leader=other)
    state = after(state, f"{other} plays 9r", f"{bomber} plays J K", f"{other} passes")
    assert captured(state)[other] == "9r J K"
    assert captured(state)[bomber] == ""
    assert state.to_act == bomber
    assert not state.position.award_due
    assert state.tricks[-1][:2] == (bomber, other)


@at_every_table
def test_a_bomb_beaten_by_a_higher_bomb_belongs_to_the_higher_one(
    rules: TableRules,
) -> None:
    state = round_of(rules, "J Q 2r", "J Q K 2o", "2y 3y")
    state = passed(after(state, "0 plays J Q", "1 plays J Q K"))
    if state.position.award_due:
        state = after(state, "1 gives 0")
    assert captured(state)[0] == "J Q J Q K"
    assert state.to_act == 1


@where_the_winner_chooses
def test_an_unbeaten_led_bomb_is_awarded_too(rules: TableRules) -> None:
    state = after(round_of(rules, "J Q 2r", "8o", "9y"), "0 plays J Q", "1 passes", "2 passes")
    assert state.position.award_due
    assert captured(after(state, "0 gives 2")) == ("", "", "J Q")


# --- The final trick --------------------------------------------------------------------------------------


@pytest.mark.clause("common.ending.final-trick", "deluxe.ending.final-trick-to-second-out")
@at_tables_of_three
def test_the_last_to_play_captures_the_final_trick(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", "8o", "Ty K"), "0 plays 7r", "1 plays 8o")
    assert captured(state) == ("", "7r 8o", "")
    assert (state.position.winner, state.position.captor) == (1, 1)


@pytest.mark.clause("common.ending.final-trick")
@at_tables_of_two
def test_with_two_players_the_player_going_out_captures_the_final_trick(rules: TableRules) -> None:
    state = after(round_of(rules, "7r 9r", "8o K 2o"), "0 plays 7r", "1 plays 8o", "0 plays 9r")
    assert captured(state) == ("7r 9r 8o", "")


@pytest.mark.clause(
    "common.ending.final-bomb", "deluxe.bombs.out-with-a-bomb", "haggish.bombs.other-player-captures"
)
@at_tables_of_two
def test_with_two_players_a_final_bomb_gives_the_trick_to_the_opponent(rules: TableRules) -> None:
    applied = act(after(round_of(rules, "J Q", "8o K 2o", leader=1), "1 plays 8o"), "0 plays J Q")
    assert applied.events == (Out(0), TrickEnd(winner=0, captured_by=1))
    assert captured(applied.state) == ("", "8o J Q")
    assert applied.state.is_over


@at_tables_of_three
def test_the_first_out_may_win_a_trick_that_the_others_continue(rules: TableRules) -> None:
    state = after(round_of(rules, "9r", "8o 2o J", "Ty Q"), "0 plays 9r", "1 passes", "2 passes")
    assert captured(state) == ("9r", "", "")
    state = after(state, "1 plays 2o", "2 plays Q")
    assert state.position.out == (0,)
    assert state.to_act == 1
