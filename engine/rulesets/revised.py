"""The revised rules: shepherd, sheep and black sheep, and a second way to split the bets of three players."""

from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BET_SPLIT, BOMB_CAPTURE
from engine.rulesets.rulings import AT_EVERY_TABLE, AT_TABLES_OF_THREE, NO_FIVE, WILD_BELOW, WITH_A_DEALER
from engine.rulesets.terms import BetSplit, BetSucceeds, BombCapture, CardPoints, FinalHand, Haggis, LeadTie

TWO_SPLITS: Final = Ruling(
    "two_splits",
    "The text gives two ways to pay the bets of three players, and they cannot both hold. The first is the "
    "default; the second is the option bet_split=thirds.",
)

REVISED: Final = RuleSet(
    key="revised",
    title="Revised",
    summary="The revised rules of the first edition. The first out is the shepherd, the others are sheep.",
    version="1",
    players=(2, 3),
    bet_amounts=(15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bet_split=BetSplit.FULL,
    first_out_bonus=0,
    card_points=CardPoints.POINT_CARDS,
    final_hand=FinalHand.FIRST_OUT,
    haggis=Haggis.FIRST_OUT,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=True,
    lead_tie=LeadTie.LEFT_OF_DEALER,
    suggested_targets=(250, 350),
    options=(BOMB_CAPTURE, BET_SPLIT),
    rulings=(*WITH_A_DEALER, *AT_EVERY_TABLE, WILD_BELOW, NO_FIVE, TWO_SPLITS, *AT_TABLES_OF_THREE),
)
