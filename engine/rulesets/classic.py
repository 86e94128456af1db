"""The first edition, for two or three players."""

from typing import Final

from engine.rulesets.model import RuleSet
from engine.rulesets.options import BOMB_CAPTURE
from engine.rulesets.rulings import AT_EVERY_TABLE, AT_TABLES_OF_THREE, NO_FIVE, WITH_A_DEALER
from engine.rulesets.terms import BetSplit, BetSucceeds, BombCapture, CardPoints, FinalHand, Haggis, LeadTie

CLASSIC: Final = RuleSet(
    key="classic",
    title="Classic",
    summary="The rules of the first edition.",
    version="1",
    players=(2, 3),
    bet_amounts=(15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bet_split=BetSplit.FULL,
    first_out_bonus=5,
    card_points=CardPoints.POINT_CARDS,
    final_hand=FinalHand.FIRST_OUT,
    haggis=Haggis.FIRST_OUT,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=True,
    lead_tie=LeadTie.LEFT_OF_DEALER,
    suggested_targets=(250, 350),
    options=(BOMB_CAPTURE,),
    rulings=(*WITH_A_DEALER, *AT_EVERY_TABLE, NO_FIVE, *AT_TABLES_OF_THREE),
)
