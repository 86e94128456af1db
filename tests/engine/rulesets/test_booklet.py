import pytest

from engine.rulesets.booklet import BOOKLET
from engine.rulesets.deluxe import DELUXE
from engine.rulesets.terms import BetSplit, BetSucceeds, CardPoints, FinalHand, Haggis, LeadTie
from engine.rulesets.wording import length


@pytest.mark.clause("booklet.setup.two-or-three")
def test_the_booklet_is_for_two_or_three_players() -> None:
    assert BOOKLET.players == (2, 3)


@pytest.mark.clause("booklet.setup.three-bet-cards")
def test_the_bets_are_those_of_deluxe() -> None:
    assert BOOKLET.bet_amounts == DELUXE.bet_amounts == (5, 15, 30)


@pytest.mark.clause("booklet.scoring.bet-on-points")
def test_a_bet_is_on_points() -> None:
    assert BOOKLET.bet_succeeds is BetSucceeds.SCORES_THE_BET
    assert BOOKLET.bet_split is BetSplit.FULL


def test_point_cards_count_and_there_is_no_bonus() -> None:
    assert BOOKLET.card_points is CardPoints.POINT_CARDS
    assert BOOKLET.first_out_bonus == 0


@pytest.mark.clause("booklet.ending.haggis-to-last-to-play", "booklet.ending.hand-to-nobody")
def test_the_last_to_play_captures_the_haggis_and_nobody_the_last_hand() -> None:
    assert BOOKLET.haggis is Haggis.LAST_TO_PLAY
    assert BOOKLET.final_hand is FinalHand.NOBODY


def test_there_is_a_dealer_and_their_left_neighbour_leads_in_a_tie() -> None:
    assert BOOKLET.has_dealer
    assert BOOKLET.lead_tie is LeadTie.LEFT_OF_DEALER


@pytest.mark.clause("common.match.suggested-targets", "common.match.suggested-rounds")
def test_points_or_rounds_are_suggested() -> None:
    assert BOOKLET.suggested_targets == (250, 350)
    assert dict(BOOKLET.suggested_rounds) == {2: (6, 7, 8), 3: (9,)}
    assert length(BOOKLET)[0] == "The text suggests 250 to 350 points."


def test_the_only_option_is_bomb_capture() -> None:
    assert [option.name for option in BOOKLET.options] == ["bomb_capture"]
