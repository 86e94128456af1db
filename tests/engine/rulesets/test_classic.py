import pytest

from engine.rulesets.classic import CLASSIC
from engine.rulesets.terms import BetSplit, BetSucceeds, CardPoints, FinalHand, Haggis, LeadTie


def test_classic_is_for_two_or_three_players() -> None:
    assert CLASSIC.players == (2, 3)


@pytest.mark.clause("common.betting.fifteen-and-thirty", "classic.betting.one-of-0-15-30")
def test_bets_are_15_and_30_on_going_out_first() -> None:
    assert CLASSIC.bet_amounts == (15, 30)
    assert CLASSIC.bet_succeeds is BetSucceeds.GOES_OUT_FIRST
    assert CLASSIC.bet_split is BetSplit.FULL


def test_point_cards_count_and_the_first_of_three_out_gets_a_bonus_of_five() -> None:
    assert CLASSIC.card_points is CardPoints.POINT_CARDS
    assert CLASSIC.first_out_bonus == 5


def test_the_first_out_captures_the_remaining_cards() -> None:
    assert CLASSIC.final_hand is FinalHand.FIRST_OUT
    assert CLASSIC.haggis is Haggis.FIRST_OUT


def test_there_is_a_dealer_and_their_left_neighbour_leads_in_a_tie() -> None:
    assert CLASSIC.has_dealer
    assert CLASSIC.lead_tie is LeadTie.LEFT_OF_DEALER


@pytest.mark.clause("common.match.suggested-targets")
def test_250_or_350_points_are_suggested() -> None:
    assert CLASSIC.suggested_targets == (250, 350)
    assert CLASSIC.suggested_rounds == ()


def test_the_only_option_is_bomb_capture() -> None:
    assert [option.name for option in CLASSIC.options] == ["bomb_capture"]
