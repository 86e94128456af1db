"""The revised rules: shepherd, sheep and black sheep, and a second way to split the bets of three players."""

from dataclasses import replace
from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BET_SPLIT, BOMB_CAPTURE
from engine.rulesets.rulings import (
    AT_EVERY_TABLE,
    AT_TABLES_OF_THREE,
    BETS_CLOSE,
    BETS_STAY_OPEN,
    NO_FIVE,
    TOURNAMENT_NEXT,
    WILD_BELOW,
    WITH_A_DEALER,
)
from engine.rulesets.terms import (
    BetsClose,
    BetSplit,
    BetSucceeds,
    BombCapture,
    CardPoints,
    FaceCards,
    FinalHand,
    Haggis,
    LeadTie,
)

TWO_SPLITS: Final = Ruling(
    "two_splits",
    "The text gives two ways to pay the bets of three players, and they cannot both hold. The first is the "
    "default; the second is the option bet_split=thirds.",
)


def _rulings(bets: Ruling) -> tuple[Ruling, ...]:
    return (
        *WITH_A_DEALER,
        *AT_EVERY_TABLE,
        bets,
        WILD_BELOW,
        NO_FIVE,
        TWO_SPLITS,
        *AT_TABLES_OF_THREE,
        TOURNAMENT_NEXT,
    )


REVISED: Final = RuleSet(
    key="revised",
    title="Revised",
    summary="The revised rules of the first edition. The first out is the shepherd, the others are sheep.",
    version="2",
    players=(2, 3),
    face_cards=FaceCards.WILD_OR_OWN_RANK,
    bet_amounts=(15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bets_close=BetsClose.FIRST_OUT,
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
    rulings=_rulings(BETS_CLOSE),
)

# Version 1: bets stayed open after a player had gone out.
REVISED_1: Final = replace(
    REVISED, version="1", bets_close=BetsClose.ALL_BUT_ONE_OUT, rulings=_rulings(BETS_STAY_OPEN)
)
