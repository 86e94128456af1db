"""Haggish: the game for two players with an ordinary deck of cards."""

from dataclasses import replace
from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE, HAGGIS_CAPTURE
from engine.rulesets.rulings import AT_EVERY_TABLE, BETS_CLOSE, BETS_STAY_OPEN, NO_FIVE, WITH_A_DEALER
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

NO_JOKERS: Final = Ruling(
    "no_jokers", "The text includes both jokers but gives them no role; they are not used."
)
BET_OPEN: Final = Ruling(
    "bet_open",
    "Bets are made 'before cards are played'. This is taken to mean the player's own cards: a bet is "
    "open until the player's own first play, no matter who has played before.",
)
UNCAPTURED: Final = Ruling(
    "uncaptured",
    "The text only raises the question whether the haggis and the remaining hand are captured. They are not, "
    "unless the option haggis_capture=first_out says so.",
)
AS_CLASSIC: Final = Ruling(
    "as_classic",
    "The text does not mention the dealer, the lead, ties or the final trick: all four are as in the "
    "classic rules.",
)


def _rulings(bets: Ruling) -> tuple[Ruling, ...]:
    return (*WITH_A_DEALER, NO_JOKERS, *AT_EVERY_TABLE, bets, BET_OPEN, NO_FIVE, UNCAPTURED, AS_CLASSIC)


HAGGISH: Final = RuleSet(
    key="haggish",
    title="Haggish",
    summary="Haggis for two with an ordinary deck of cards; what is not played is not captured.",
    version="2",
    players=(2,),
    face_cards=FaceCards.WILD_OR_OWN_RANK,
    bet_amounts=(15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bets_close=BetsClose.FIRST_OUT,
    bet_split=BetSplit.FULL,
    first_out_bonus=0,
    card_points=CardPoints.POINT_CARDS,
    final_hand=FinalHand.NOBODY,
    haggis=Haggis.NOBODY,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=True,
    lead_tie=LeadTie.LEFT_OF_DEALER,
    suggested_targets=(250,),
    options=(HAGGIS_CAPTURE,),
    rulings=_rulings(BETS_CLOSE),
)

# Version 1: it had the option for three players, fixed at its default.
HAGGISH_1: Final = replace(
    HAGGISH,
    version="1",
    bets_close=BetsClose.ALL_BUT_ONE_OUT,
    options=(BOMB_CAPTURE, HAGGIS_CAPTURE),
    rulings=_rulings(BETS_STAY_OPEN),
)
