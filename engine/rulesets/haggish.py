"""Haggish: two players with an ordinary deck of cards."""

from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE, HAGGIS_CAPTURE
from engine.rulesets.rulings import AT_EVERY_TABLE, NO_FIVE, WITH_A_DEALER
from engine.rulesets.terms import BetSplit, BetSucceeds, BombCapture, CardPoints, FinalHand, Haggis, LeadTie

NO_JOKERS: Final = Ruling(
    "no_jokers", "The text sets out both jokers and gives them no role; they are not used."
)
BET_OPEN: Final = Ruling(
    "bet_open", "A bet is open until the player's own first play, whoever has played before."
)
UNCAPTURED: Final = Ruling(
    "uncaptured",
    "The text only asks itself whether the haggis and the remaining hand are captured. They are not, "
    "unless the option haggis_capture=first_out says so.",
)
AS_CLASSIC: Final = Ruling(
    "as_classic",
    "The text says nothing of the dealer, the lead, ties or the final trick: all four are as in the "
    "classic rules.",
)

HAGGISH: Final = RuleSet(
    key="haggish",
    title="Haggish",
    summary="Haggis for two with an ordinary deck of cards; what is not played is not captured.",
    version="1",
    players=(2,),
    bet_amounts=(15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bet_split=BetSplit.FULL,
    first_out_bonus=0,
    card_points=CardPoints.POINT_CARDS,
    final_hand=FinalHand.NOBODY,
    haggis=Haggis.NOBODY,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=True,
    lead_tie=LeadTie.LEFT_OF_DEALER,
    suggested_targets=(250,),
    options=(BOMB_CAPTURE, HAGGIS_CAPTURE),
    rulings=(*WITH_A_DEALER, NO_JOKERS, *AT_EVERY_TABLE, BET_OPEN, NO_FIVE, UNCAPTURED, AS_CLASSIC),
)
