"""The rules of the first edition, for two or three players."""

from dataclasses import replace
from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE
from engine.rulesets.rulings import (
    AT_EVERY_TABLE,
    AT_TABLES_OF_THREE,
    BETS_CLOSE,
    BETS_STAY_OPEN,
    NO_FIVE,
    TOURNAMENT_NEXT,
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

ALL_CARDS_SCORE: Final = Ruling(
    "all_cards_score",
    "The text scores point cards 'captured during trick play'. The last hand and the haggis, which the "
    "first player out captures afterwards, count as well.",
)

CLASSIC: Final = RuleSet(
    key="classic",
    title="Classic",
    summary="The rules of the first edition.",
    version="2",
    players=(2, 3),
    face_cards=FaceCards.WILD_OR_OWN_RANK,
    bet_amounts=(15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bets_close=BetsClose.FIRST_OUT,
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
    rulings=(
        *WITH_A_DEALER,
        *AT_EVERY_TABLE,
        BETS_CLOSE,
        NO_FIVE,
        ALL_CARDS_SCORE,
        *AT_TABLES_OF_THREE,
        TOURNAMENT_NEXT,
    ),
)

# Version 1: bets stayed open after a player had gone out.
CLASSIC_1: Final = replace(
    CLASSIC,
    version="1",
    bets_close=BetsClose.ALL_BUT_ONE_OUT,
    rulings=(*WITH_A_DEALER, *AT_EVERY_TABLE, BETS_STAY_OPEN, NO_FIVE, *AT_TABLES_OF_THREE, TOURNAMENT_NEXT),
)
