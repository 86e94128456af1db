"""The edition of 114 cards, for two or three players: a point for every card, and no dealer."""

from dataclasses import replace
from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE, BOMB_CAPTURE_LAST_ORDINARY, CAPTURED
from engine.rulesets.rulings import (
    AT_EVERY_TABLE,
    AT_TABLES_OF_THREE,
    BETS_CLOSE,
    BETS_STAY_OPEN,
    TOURNAMENT_NEXT,
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

FIRST_LEADER: Final = Ruling("first_leader", "The first leader is drawn at random. Nobody is the dealer.")
LEAD_TIE: Final = Ruling(
    "lead_tie",
    "When several players share the fewest points, the next leader is the player to the left of the one "
    "who led the first trick of the last round, even if that player is not one of them.",
)
CAPTURED_CARDS: Final = Ruling(
    "captured_cards",
    "Of the two ways to count captured cards, the one that the text recommends is the default. Every card "
    "counts, the last hand and the haggis included.",
)
OTHER_GAMES: Final = Ruling(
    "other_games", "The box is also for other games and more players; they are not played here."
)

TOURNAMENT_LAST_ORDINARY: Final = Ruling(
    "tournament_last_ordinary",
    "Tournament: the text gives the trick to the player who last played a combination that is not a "
    "bomb, even if out. If that is the winner, or if the trick consists of bombs only, the play just "
    "below the winning bomb counts; if the winning bomb was led, the player to the right of its leader "
    "captures.",
)

SECOND_OUT_COUNTS_TOO: Final = Ruling(
    "second_out_counts_too",
    "In the text only the first player to go out notes the largest opposing hand. The second to go out "
    "also scores five points per card, for the hand that is left.",
)

FINAL_BOMB: Final = Ruling(
    "final_bomb",
    "The text gives the final trick to the second player to go out. If the last play is a bomb, an opponent "
    "captures that trick like any other won by a bomb.",
)

DELUXE: Final = RuleSet(
    key="deluxe",
    title="Deluxe",
    summary="The edition of 114 cards: bets of three sizes, a point for every captured card, and no dealer.",
    version="2",
    players=(2, 3),
    face_cards=FaceCards.WILD_OR_OWN_RANK,
    bet_amounts=(5, 15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
    bets_close=BetsClose.FIRST_OUT,
    bet_split=BetSplit.FULL,
    first_out_bonus=0,
    card_points=CardPoints.ONE_PER_CARD,
    final_hand=FinalHand.FIRST_OUT,
    haggis=Haggis.FIRST_OUT,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=False,
    lead_tie=LeadTie.LEFT_OF_LAST_LEADER,
    suggested_targets=(250, 350),
    suggested_rounds=((2, (6, 8)), (3, (6, 9))),
    options=(BOMB_CAPTURE_LAST_ORDINARY, CAPTURED),
    rulings=(
        FIRST_LEADER,
        LEAD_TIE,
        *AT_EVERY_TABLE,
        BETS_CLOSE,
        CAPTURED_CARDS,
        SECOND_OUT_COUNTS_TOO,
        *AT_TABLES_OF_THREE,
        TOURNAMENT_LAST_ORDINARY,
        FINAL_BOMB,
        OTHER_GAMES,
    ),
)

# Version 1: bets stayed open after a player had gone out; the tournament option was that of the other rule
# sets.
DELUXE_1: Final = replace(
    DELUXE,
    version="1",
    bets_close=BetsClose.ALL_BUT_ONE_OUT,
    options=(BOMB_CAPTURE, CAPTURED),
    rulings=(
        FIRST_LEADER,
        LEAD_TIE,
        *AT_EVERY_TABLE,
        BETS_STAY_OPEN,
        CAPTURED_CARDS,
        *AT_TABLES_OF_THREE,
        TOURNAMENT_NEXT,
        OTHER_GAMES,
    ),
)
