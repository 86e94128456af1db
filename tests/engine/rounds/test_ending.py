"""The end of a round and the score sheet of every rule set; tests/engine/scoring covers single lines."""

import pytest

from engine.rounds import ending
from engine.rounds.ending import score_round
from engine.rounds.state import RoundState
from engine.rulesets.model import TableRules
from engine.rulesets.terms import CardPoints
from engine.scoring.finished import FinishedRound
from engine.scoring.sheet import SeatScore
from tests.engine.rounds.tables import (
    after,
    at_every_table,
    at_tables_of_three,
    at_tables_of_two,
    captured,
    in_tournaments,
    in_words,
    round_of,
    where_the_winner_chooses,
)
from tests.engine.scoring.finished_rounds import table


def finished(state: RoundState) -> FinishedRound:
    return ending.finished(state.position, state.haggis, state.bets)


def line(state: RoundState, name: str) -> tuple[int, ...]:
    """Return one kind of points on the score sheet, for every seat."""
    return tuple(getattr(score, name) for score in score_round(state))


def two(rules: TableRules, *bets: str) -> RoundState:
    """Seat 0 goes out on a nine; seat 1 has captured a 7 and a J, and has a 3 and its K left."""
    start = after(round_of(rules, "7r 9r", "J 2o 3o K", haggis="5g 6g"), *bets)
    return after(start, "0 plays 7r", "1 plays J", "0 passes", "1 plays 2o", "0 plays 9r")


def three(rules: TableRules, *bets: str) -> RoundState:
    """Seat 2 goes out, then seat 0, in one trick that 0 captures; seat 1 has a 3, a 2 and its K left."""
    start = after(round_of(rules, "7r J", "3o 8o K 2o", "9y", haggis="5g 6g"), *bets)
    return after(start, "0 plays 7r", "1 plays 8o", "2 plays 9y", "0 plays J")


# --- Where all cards ended up -------------------------------------------------------------------------------


@at_tables_of_two
def test_a_finished_two_player_round(rules: TableRules) -> None:
    ended = finished(two(rules, "1 bets 15"))
    assert (ended.players, ended.out, ended.opposing) == (2, (0,), (2,))
    assert [in_words(pile) for pile in ended.captured] == ["9r 2o", "7r J"]
    assert (in_words(ended.last_hand), in_words(ended.haggis)) == ("3o K", "5g 6g")
    assert (ended.final_captor, ended.bets) == (0, (None, 15))


@at_tables_of_three
def test_a_finished_three_player_round(rules: TableRules) -> None:
    ended = finished(three(rules, "2 bets 30", "0 bets nothing"))
    assert (ended.players, ended.out, ended.opposing) == (3, (2, 0), (3, 3))
    assert [in_words(pile) for pile in ended.captured] == ["7r 8o 9y J", "", ""]
    assert (in_words(ended.last_hand), in_words(ended.haggis)) == ("2o 3o K", "5g 6g")
    assert (ended.final_captor, ended.bets) == (0, (0, None, 30))


@at_tables_of_two
def test_the_captor_of_a_bombed_final_trick_is_not_the_last_to_play(rules: TableRules) -> None:
    assert finished(after(round_of(rules, "J Q", "K 3y"), "0 plays J Q")).final_captor == 1


@at_every_table
def test_face_cards_in_the_last_hand_belong_to_their_owner(rules: TableRules) -> None:
    last_hand = finished(two(rules) if rules.players == 2 else three(rules)).last_hand
    assert last_hand >> 45 == 0b100 << 3


# --- Whole sheets -------------------------------------------------------------------------------------------


@pytest.mark.clause("haggish.ending.one-out")
@pytest.mark.parametrize(
    ("rules", "first", "second"),
    (
        # 2 cards left: 10. Captured 9r 2o: 1; last hand 3o K: 6; haggis 5g 6g: 1. The other: 7r J: 3.
        (table("classic", 2), (10, 8, 15), (0, 3, 0)),
        (table("revised", 2), (10, 8, 15), (0, 3, 0)),
        # The last to play captures the haggis, nobody the last hand. Seat 1 did not score its bet.
        (table("booklet", 2), (10, 2, 15), (0, 3, 0)),
        (table("haggish", 2), (10, 1, 15), (0, 3, 0)),
        (table("haggish", 2, haggis_capture="first_out"), (10, 8, 15), (0, 3, 0)),
        # One for each card: 9r 2o 3o K 5g 6g, and 7r J.
        (table("deluxe", 2), (10, 6, 15), (0, 2, 0)),
        (table("deluxe", 2, captured="point_cards"), (10, 8, 15), (0, 3, 0)),
    ),
)
def test_the_score_sheet_of_a_two_player_round(
    rules: TableRules, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    sheet = score_round(two(rules, "1 bets 15"))
    assert sheet == tuple(
        SeatScore(
            seat=seat, going_out=out, first_out_bonus=0, captured=cards, bets=bets, total=out + cards + bets
        )
        for seat, (out, cards, bets) in enumerate((first, second))
    )


@pytest.mark.parametrize("tournament", ({}, {"bomb_capture": "tournament"}))
@pytest.mark.parametrize(
    ("key", "options", "captured_points", "bonus", "bets"),
    (
        # Captured by 0: 7r 8o 9y J: 4. First out is 2: the last hand (2o 3o K) 6, the haggis (5g 6g) 1.
        # Seat 0 bet 15 and 2 bet 30: 2 scores its own and 0's bet, and 1, without a bet, scores 0's bet too.
        ("classic", {}, (4, 0, 7), (0, 0, 5), (0, 15, 45)),
        ("revised", {}, (4, 0, 7), (0, 0, 0), (0, 15, 45)),
        ("revised", {"bet_split": "thirds"}, (4, 0, 7), (0, 0, 0), (5, 0, 30 + 10)),
        # Seat 0 scores 15 + 5 with the haggis, enough for its bet; seat 2 only 15 of the 30 it bet.
        ("booklet", {}, (5, 0, 0), (0, 0, 0), (15, 30, 0)),
        ("deluxe", {}, (4, 0, 5), (0, 0, 0), (0, 15, 45)),
        ("deluxe", {"captured": "point_cards"}, (4, 0, 7), (0, 0, 0), (0, 15, 45)),
    ),
)
def test_the_score_sheet_of_a_three_player_round(
    key: str,
    options: dict[str, str],
    captured_points: tuple[int, ...],
    bonus: tuple[int, ...],
    bets: tuple[int, ...],
    tournament: dict[str, str],
) -> None:
    state = three(table(key, 3, **options, **tournament), "2 bets 30", "0 bets 15", "1 bets nothing")
    assert line(state, "going_out") == (15, 0, 15)
    assert line(state, "captured") == captured_points
    assert line(state, "first_out_bonus") == bonus
    assert line(state, "bets") == bets
    assert line(state, "total") == tuple(
        sum(each) for each in zip((15, 0, 15), captured_points, bonus, bets, strict=True)
    )


# --- Worked examples of bets --------------------------------------------------------------------------------


def bets_paid(rules: TableRules, first: int, second: int) -> tuple[int, ...]:
    """Return what seats 0 and 1, with bets of 15, and seat 2, without a bet, score for bets."""
    hands = ["2b 4b"] * 3
    hands[first], hands[second] = "4r", "6o"
    state = after(round_of(rules, *hands, leader=first), "0 bets 15", "1 bets 15", f"{first} plays 4r")
    if state.to_act != second:
        state = after(state, f"{state.to_act} passes")
    return line(after(state, f"{second} plays 6o"), "bets")


@pytest.mark.clause(
    "common.scoring.bet-example-bettor-first", "common.scoring.bet-won", "common.scoring.bet-lost"
)
@pytest.mark.parametrize("key", ("classic", "revised", "deluxe"))
@pytest.mark.parametrize("second", (1, 2))
def test_a_bettor_who_is_first_out_scores_30_and_a_non_bettor_15(key: str, second: int) -> None:
    assert bets_paid(table(key), 0, second) == (30, 0, 15)


@pytest.mark.clause("common.scoring.bet-example-other-first", "common.scoring.bet-lost")
@pytest.mark.parametrize("key", ("classic", "revised", "deluxe"))
@pytest.mark.parametrize("second", (0, 1))
def test_a_non_bettor_who_is_first_out_scores_30_and_the_bettors_nothing(key: str, second: int) -> None:
    assert bets_paid(table(key), 2, second) == (0, 0, 30)


@pytest.mark.parametrize(
    ("first", "second", "paid"),
    ((0, 1, (15 + 10, 5, 0)), (2, 1, (0, 10, 20)), (2, 0, (10, 0, 20)), (1, 2, (0, 25, 5))),
)
def test_bets_in_thirds_are_split_between_first_and_second_out(
    first: int, second: int, paid: tuple[int, ...]
) -> None:
    assert bets_paid(table("revised", bet_split="thirds"), first, second) == paid


# --- The final trick, the last hand and the haggis ----------------------------------------------------------


@pytest.mark.clause("common.ending.hand-to-first-out", "common.ending.haggis-to-first-out")
@pytest.mark.parametrize(("key", "points"), (("classic", 6 + 1), ("revised", 6 + 1), ("deluxe", 3 + 2)))
def test_the_first_out_captures_last_hand_and_haggis_even_if_the_second_out_won_the_trick(
    key: str, points: int
) -> None:
    assert line(three(table(key)), "captured") == (4, 0, points)


@pytest.mark.clause("booklet.ending.haggis-to-last-to-play", "booklet.ending.hand-to-nobody")
@pytest.mark.parametrize("options", ({}, {"bomb_capture": "tournament"}))
def test_in_the_booklet_the_last_to_play_captures_the_haggis_and_nobody_the_last_hand(
    options: dict[str, str],
) -> None:
    state = after(
        round_of(table("booklet", 3, **options), "2r", "4o", "K 3y", haggis="5g 7g 9g"), "0 plays 2r"
    )
    assert line(after(state, "1 plays 4o"), "captured") == (0, 3, 0)


@pytest.mark.clause("booklet.ending.haggis-after-a-bomb")
@pytest.mark.parametrize(("captor", "captured_points"), ((0, (8, 0, 0)), (2, (0, 0, 8))))
def test_in_the_booklet_a_final_bomb_gives_trick_and_haggis_to_the_chosen_opponent(
    captor: int, captured_points: tuple[int, ...]
) -> None:
    state = after(round_of("booklet", "2r", "J Q", "K 3y", haggis="5g 7g 9g"), "0 plays 2r", "1 plays J Q")
    assert line(after(state, f"1 gives {captor}"), "captured") == captured_points


@pytest.mark.clause("booklet.ending.haggis-after-a-bomb")
def test_in_a_booklet_tournament_the_captor_of_the_trick_captures_the_haggis_too() -> None:
    rules = table("booklet", 3, bomb_capture="tournament")
    state = after(round_of(rules, "2r", "J Q", "K 3y", haggis="5g 7g 9g"), "0 plays 2r", "1 plays J Q")
    assert line(state, "captured") == (8, 0, 0)


@pytest.mark.clause("booklet.ending.haggis-after-a-bomb")
def test_in_the_two_player_booklet_a_final_bomb_gives_trick_and_haggis_to_the_opponent() -> None:
    state = after(round_of("booklet", "J Q", "K 3y", haggis="5g 7g 9g"), "0 plays J Q")
    assert line(state, "captured") == (0, 8)


@pytest.mark.clause("common.ending.final-bomb", "deluxe.bombs.out-with-a-bomb")
@where_the_winner_chooses
@pytest.mark.parametrize("captor", (0, 2))
def test_a_round_that_ends_on_a_bomb_is_scored_with_the_awarded_trick(rules: TableRules, captor: int) -> None:
    state = after(round_of(rules, "2r", "J Q", "8y 6y"), "0 plays 2r", "1 plays J Q", f"1 gives {captor}")
    assert captured(state)[captor] == "2r J Q"
    points = 3 if rules.card_points is CardPoints.ONE_PER_CARD else 5
    left = 2 if captor == 0 and rules.card_points is CardPoints.ONE_PER_CARD else 0
    assert line(state, "captured")[captor] == points + left
    assert line(state, "captured")[1] == 0
    assert line(state, "going_out") == (10, 10, 0)


@in_tournaments
def test_a_tournament_round_that_ends_on_a_bomb_is_scored_at_once(rules: TableRules) -> None:
    state = after(round_of(rules, "2r", "J Q", "8y 6y"), "0 plays 2r", "1 plays J Q")
    assert state.is_over
    assert line(state, "captured")[1:] == (0, 0)


@pytest.mark.clause(
    "common.scoring.five-a-card", "booklet.out.winner-out-scores", "booklet.out.last-out-scores"
)
@at_tables_of_three
def test_the_first_and_the_second_out_each_score_five_points_per_card_at_their_own_time(
    rules: TableRules,
) -> None:
    state = after(
        round_of(rules, "5r", "6o 7o", "8y 9y J K"), "0 plays 5r", "1 passes", "2 plays 8y", "1 passes"
    )
    state = after(state, "2 plays 9y", "1 passes", "2 plays J", "1 passes", "2 plays K")
    assert line(state, "going_out") == (20, 0, 10)
