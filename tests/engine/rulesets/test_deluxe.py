import pytest

from engine.rulesets.deluxe import DELUXE
from engine.rulesets.terms import BetSplit, BetSucceeds, CardPoints, FinalHand, Haggis, LeadTie


def test_deluxe_is_for_two_or_three_players() -> None:
    assert DELUXE.players == (2, 3)


@pytest.mark.clause("deluxe.betting.five-fifteen-thirty")
def test_bets_are_5_15_and_30_on_going_out_first() -> None:
    assert DELUXE.bet_amounts == (5, 15, 30)
    assert DELUXE.bet_succeeds is BetSucceeds.GOES_OUT_FIRST
    assert DELUXE.bet_split is BetSplit.FULL


@pytest.mark.clause("deluxe.scoring.one-a-card")
def test_every_card_counts_one_point_and_there_is_no_bonus() -> None:
    assert DELUXE.card_points is CardPoints.ONE_PER_CARD
    assert DELUXE.first_out_bonus == 0


def test_the_first_out_captures_the_remaining_cards() -> None:
    assert DELUXE.final_hand is FinalHand.FIRST_OUT
    assert DELUXE.haggis is Haggis.FIRST_OUT


@pytest.mark.clause("deluxe.setup.first-leader", "deluxe.next.lead-tie-left-of-last-leader")
def test_there_is_no_dealer_and_the_left_neighbour_of_the_last_leader_leads_in_a_tie() -> None:
    assert not DELUXE.has_dealer
    assert DELUXE.lead_tie is LeadTie.LEFT_OF_LAST_LEADER


@pytest.mark.clause("common.match.suggested-targets", "common.match.suggested-rounds")
def test_points_or_rounds_are_suggested() -> None:
    assert DELUXE.suggested_targets == (250, 350)
    assert dict(DELUXE.suggested_rounds) == {2: (6, 8), 3: (6, 9)}


def test_the_options_are_bomb_capture_and_the_value_of_captured_cards() -> None:
    assert [option.name for option in DELUXE.options] == ["bomb_capture", "captured"]
