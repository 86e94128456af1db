from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets.model import TableRules
from engine.scoring.finished import FinishedRound
from engine.scoring.sheet import SeatScore, score_sheet
from tests.engine.scoring.finished_rounds import PLAIN, any_finished, pile, table


@pytest.mark.clause("classic.scoring.three-kinds")
def test_a_classic_three_player_round_line_by_line() -> None:
    finished = replace(
        PLAIN,
        out=(2, 0),
        opposing=(9, 4),
        captured=(pile("3r 5r J"), pile("9r K", seat=1), pile("7r")),
        last_hand=pile("2g 3g Q", seat=1),
        haggis=pile("5b 6b 8b"),
        bets=(15, None, 30),
    )
    assert score_sheet(table("classic"), finished) == (
        SeatScore(seat=0, going_out=20, first_out_bonus=0, captured=4, bets=0, total=24),
        SeatScore(seat=1, going_out=0, first_out_bonus=0, captured=6, bets=15, total=21),
        SeatScore(seat=2, going_out=45, first_out_bonus=5, captured=1 + 4 + 1, bets=45, total=101),
    )


@pytest.mark.clause("booklet.scoring.bet-on-points")
def test_a_booklet_bet_counts_the_haggis_but_not_other_bets() -> None:
    finished = replace(
        PLAIN,
        out=(0, 1),
        opposing=(5, 2),
        captured=(0, pile("J"), 0),
        haggis=pile("3r 5r 7r"),
        bets=(30, 15, 5),
    )
    sheet = score_sheet(table("booklet"), finished)
    assert [line.bets for line in sheet] == [5, 15, 0]
    without_haggis = score_sheet(table("booklet"), replace(finished, haggis=0))
    assert [line.bets for line in without_haggis] == [5 + 15, 0, 0]


@given(game=any_finished())
def test_totals_are_the_sums_of_their_lines_in_seat_order(
    game: tuple[TableRules, FinishedRound],
) -> None:
    sheet = score_sheet(*game)
    for seat, line in enumerate(sheet):
        assert line.seat == seat
        assert line.total == sum(astuple(line)[1:-1])
        assert min(astuple(line)) >= 0


@given(game=any_finished(), data=st.data())
def test_scores_do_not_depend_on_the_seating(
    game: tuple[TableRules, FinishedRound], data: st.DataObject
) -> None:
    rules, finished = game
    moved_to = data.draw(st.permutations(range(rules.players)))
    sat_at = [moved_to.index(seat) for seat in range(rules.players)]
    moved = replace(
        finished,
        out=tuple(moved_to[seat] for seat in finished.out),
        captured=tuple(finished.captured[seat] for seat in sat_at),
        final_captor=moved_to[finished.final_captor],
        bets=tuple(finished.bets[seat] for seat in sat_at),
    )
    sheet = score_sheet(rules, finished)
    assert score_sheet(rules, moved) == tuple(replace(sheet[old], seat=new) for new, old in enumerate(sat_at))


@given(game=any_finished())
def test_without_bets_only_the_bets_column_differs(game: tuple[TableRules, FinishedRound]) -> None:
    rules, finished = game
    unbet = replace(finished, bets=(None,) * rules.players)
    for line, line_without in zip(score_sheet(rules, finished), score_sheet(rules, unbet), strict=True):
        assert line_without == replace(line, bets=0, total=line.total - line.bets)
