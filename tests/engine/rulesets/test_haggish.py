import pytest

from engine.rulesets.haggish import HAGGISH
from engine.rulesets.terms import BetSplit, BetSucceeds, CardPoints, FinalHand, Haggis, LeadTie


@pytest.mark.clause("haggish.setup.two-players")
def test_haggish_is_for_two_players() -> None:
    assert HAGGISH.players == (2,)


@pytest.mark.clause("common.betting.fifteen-and-thirty")
def test_bets_are_15_and_30_on_going_out_first() -> None:
    assert HAGGISH.bet_amounts == (15, 30)
    assert HAGGISH.bet_succeeds is BetSucceeds.GOES_OUT_FIRST
    assert HAGGISH.bet_split is BetSplit.FULL


def test_point_cards_count_and_there_is_no_bonus() -> None:
    assert HAGGISH.card_points is CardPoints.POINT_CARDS
    assert HAGGISH.first_out_bonus == 0


@pytest.mark.clause("haggish.ending.haggis-and-hand")
def test_nobody_captures_the_remaining_cards_unless_the_option_says_so() -> None:
    assert HAGGISH.final_hand is FinalHand.NOBODY
    assert HAGGISH.haggis is Haggis.NOBODY
    assert "haggis_capture" in {option.name for option in HAGGISH.options}


def test_dealer_and_leader_are_chosen_like_in_classic() -> None:
    assert HAGGISH.has_dealer
    assert HAGGISH.lead_tie is LeadTie.LEFT_OF_DEALER


@pytest.mark.clause("haggish.match.suggested-250")
def test_250_points_are_suggested() -> None:
    assert HAGGISH.suggested_targets == (250,)
