"""The tournament option: a bombed trick of three is captured without an award."""

import pytest

from engine.rounds.events import Out, TrickEnd
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    after,
    captured,
    events_of,
    hands_of,
    in_tournaments,
    passed,
    round_of,
    where_the_last_ordinary_play_captures,
    where_the_next_highest_captures,
)


@pytest.mark.clause("common.tournament.next-highest")
@in_tournaments
@pytest.mark.parametrize("bomber", (0, 1, 2))
def test_the_player_just_below_the_bomb_captures_without_an_award(rules: TableRules, bomber: int) -> None:
    left, right = (bomber + 1) % 3, (bomber + 2) % 3
    hands = [""] * 3
    hands[bomber], hands[left], hands[right] = "J Q 2r", "6y 2y", "8o 2o"
    state = round_of(rules, *hands, leader=left)
    start = after(state, f"{left} plays 6y", f"{right} plays 8o", f"{bomber} plays J Q")
    passes = (f"{left} passes", f"{right} passes")
    assert events_of(start, *passes) == (TrickEnd(winner=bomber, captured_by=right),)
    state = after(start, *passes)
    assert set(captured(state)[right].split()) == {"8o", "6y", "J", "Q"}
    assert state.to_act == bomber


@pytest.mark.clause("common.tournament.next-highest")
@in_tournaments
def test_the_next_highest_may_be_the_left_neighbour_after_a_pass(rules: TableRules) -> None:
    state = round_of(rules, "J Q 2r", "6y 2y", "8o 2o", leader=1)
    state = after(state, "1 plays 6y", "2 passes", "0 plays J Q", "1 passes", "2 passes")
    assert captured(state) == ("", "6y J Q", "")


@pytest.mark.clause("common.tournament.next-highest")
@where_the_next_highest_captures
def test_the_next_highest_may_be_a_bomb(rules: TableRules) -> None:
    state = round_of(rules, "9r 2r", "J Q 2o", "J Q K 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 plays J Q K", "0 passes", "1 passes")
    assert captured(state) == ("", "9r J Q J Q K", "")
    assert state.to_act == 2


@pytest.mark.clause("deluxe.tournament.last-non-bomb")
@where_the_last_ordinary_play_captures
def test_the_last_non_bomb_captures_even_with_a_lower_bomb_in_between(rules: TableRules) -> None:
    state = round_of(rules, "9r 2r", "J Q 2o", "J K 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 plays J K", "0 passes", "1 passes")
    assert captured(state) == ("9r J Q J K", "", "")
    assert state.to_act == 2


@pytest.mark.clause("deluxe.tournament.last-non-bomb")
@where_the_last_ordinary_play_captures
def test_the_last_non_bomb_captures_past_two_bombs_even_if_out(rules: TableRules) -> None:
    state = round_of(rules, "9r", "J Q 3g 5g 7g 9g 2o", "Q K 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 plays Q K", "1 plays 3g 5g 7g 9g", "2 passes")
    assert captured(state) == ("9r 3g 5g 7g 9g J Q Q K", "", "")
    assert state.to_act == 1


@pytest.mark.clause("deluxe.tournament.last-non-bomb")
@where_the_last_ordinary_play_captures
def test_if_the_winner_played_the_last_non_bomb_the_play_below_the_bomb_captures(rules: TableRules) -> None:
    state = round_of(rules, "9r J K 2r", "J Q 2o", "4y 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 passes", "0 plays J K", "1 passes", "2 passes")
    assert captured(state) == ("", "9r J K J Q", "")


@pytest.mark.clause("deluxe.tournament.last-non-bomb")
@where_the_last_ordinary_play_captures
def test_the_last_non_bomb_counts_again_after_another_players_bomb(rules: TableRules) -> None:
    state = round_of(rules, "9r J K 2r", "J Q 2o", "J Q K 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 passes", "0 plays J K", "1 passes", "2 plays J Q K")
    assert captured(after(state, "0 passes", "1 passes")) == ("9r J K J Q J Q K", "", "")


@pytest.mark.clause("deluxe.tournament.last-non-bomb")
@where_the_last_ordinary_play_captures
def test_in_a_trick_of_bombs_the_play_just_below_captures(rules: TableRules) -> None:
    state = round_of(rules, "J Q 2r", "J K 2o", "Q K 2y")
    state = after(state, "0 plays J Q", "1 plays J K", "2 plays Q K", "0 passes", "1 passes")
    assert captured(state) == ("", "J Q J K Q K", "")


@pytest.mark.clause("common.tournament.next-highest")
@in_tournaments
def test_a_led_bomb_beaten_by_a_bomb_goes_to_its_leader(rules: TableRules) -> None:
    state = round_of(rules, "J Q 2r", "8o 2o", "J Q K 2y")
    state = after(state, "0 plays J Q", "1 passes", "2 plays J Q K", "0 passes", "1 passes")
    assert captured(state) == ("J Q J Q K", "", "")


@pytest.mark.clause("common.tournament.next-highest")
@in_tournaments
def test_the_next_highest_captures_even_if_out(rules: TableRules) -> None:
    state = round_of(rules, "9r", "J Q 2o", "8y 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 passes")
    assert captured(state) == ("9r J Q", "", "")
    assert state.to_act == 1


@pytest.mark.clause("common.tournament.led-bomb-to-the-right")
@in_tournaments
@pytest.mark.parametrize("leader", (0, 1, 2))
def test_a_led_bomb_is_captured_by_the_right_neighbour(rules: TableRules, leader: int) -> None:
    right = (leader + 2) % 3
    hands = ["7r 2r", "8o 2o", "9y 2y"]
    hands[leader] = "J Q 2g"
    state = passed(after(round_of(rules, *hands, leader=leader), f"{leader} plays J Q"))
    assert captured(state)[right] == "J Q"
    assert state.to_act == leader


@pytest.mark.clause("common.tournament.led-bomb-to-the-right")
@in_tournaments
def test_the_right_neighbour_captures_a_led_bomb_even_if_out(rules: TableRules) -> None:
    state = after(round_of(rules, "J Q 2r", "8o 2o", "9y", leader=2), "2 plays 9y", "0 passes", "1 passes")
    assert state.position.out == (2,)
    state = after(state, "0 plays J Q", "1 passes")
    assert captured(state) == ("", "", "9y J Q")
    assert state.to_act == 0


@pytest.mark.clause("common.tournament.led-bomb-to-the-right")
@in_tournaments
def test_plays_of_the_previous_trick_do_not_affect_a_led_bomb(rules: TableRules) -> None:
    state = after(
        round_of(rules, "9r J Q 2r", "8o 2o", "7y 2y", leader=1), "1 plays 8o", "2 passes", "0 plays 9r"
    )
    state = after(state, "1 passes", "2 passes", "0 plays J Q", "1 passes", "2 passes")
    assert captured(state) == ("9r 8o", "", "J Q")


@pytest.mark.clause("common.ending.final-bomb", "deluxe.bombs.out-with-a-bomb")
@in_tournaments
def test_a_bomb_as_the_last_card_of_the_round_is_captured_at_once(rules: TableRules) -> None:
    state = after(round_of(rules, "9r", "8o J", "J Q K", leader=1), "1 plays 8o", "2 passes", "0 plays 9r")
    assert events_of(state, "1 plays J") == (Out(1), TrickEnd(winner=1, captured_by=1))
    state = after(state, "1 passes")
    assert events_of(state, "2 plays J Q K") == (Out(2), TrickEnd(winner=2, captured_by=0))
    ended = after(state, "2 plays J Q K")
    assert ended.is_over
    assert hands_of(ended) == ("", "J", "")
