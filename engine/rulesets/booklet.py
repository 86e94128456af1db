"""The summary booklet of the newer edition; the surviving text is damaged, and the rulings fill the gaps."""

from dataclasses import replace
from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE
from engine.rulesets.rulings import (
    AT_EVERY_TABLE,
    AT_TABLES_OF_THREE,
    BETS_STAY_OPEN,
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

SETS: Final = Ruling(
    "sets",
    "The list of combinations is damaged where the sets should be. Sets are played as in the other rule "
    "sets.",
)
AMOUNTS: Final = Ruling("amounts", "The bet cards are those of the same edition's large box: 5, 15 and 30.")
GOING_OUT: Final = Ruling(
    "going_out",
    "A player who goes out scores for the largest opposing hand at that moment, whether first or second "
    "to go out.",
)
WINNER_IS_OUT: Final = Ruling(
    "winner_is_out",
    "According to the text, the winner of a trick who is out scores for the largest hand. Read "
    "literally, the first out would score nothing if another play won that trick; here, going out scores "
    "no matter who wins the trick.",
)
COURT_CARDS: Final = Ruling(
    "court_cards",
    "Court cards are 'wild, except in a Single'. So a face card of a run or stair always stands for a lower "
    "card, never for its own rank, and no run or stair goes above ten.",
)
MIXED_SUITS: Final = Ruling("mixed_suits", "The 'mixed suits' of the lowest bomb are four different suits.")
TOURNAMENT_ADDED: Final = Ruling(
    "tournament_added",
    "The text only lets the winner of a bombed trick choose who captures it. The option "
    "bomb_capture=tournament is an addition of this project, taken from the other texts.",
)
BET_JUDGED: Final = Ruling(
    "bet_judged",
    "A bet is measured against what its player scores in the round for going out and for captured cards, "
    "the haggis included. Points from bets do not count towards it.",
)
NOT_TO_THE_BETTOR: Final = Ruling(
    "not_to_the_bettor",
    "A bet that fails is never paid to the player who made it, not even to one who went out first.",
)
ONE_CHOICE: Final = Ruling(
    "one_choice",
    "The text has one clause for the trick and one for the haggis after a last bomb, each with a choice. One "
    "choice covers both: the trick and the haggis go to the same opponent, chosen by the winner of the trick "
    "or, with the tournament option, the one who captures the trick.",
)
FINAL_HAND: Final = Ruling("final_hand", "The cards left in the last hand are captured by nobody.")
OTHER_GAMES: Final = Ruling(
    "other_games",
    "The booklet also mentions other games and more players. It does not give their rules; they are not "
    "played here.",
)

BOOKLET: Final = RuleSet(
    key="booklet",
    title="Booklet",
    summary="The short booklet of the newer edition, in which a bet is on points and not on going out first.",
    version="2",
    players=(2, 3),
    face_cards=FaceCards.WILD_ONLY,
    bet_amounts=(5, 15, 30),
    bet_succeeds=BetSucceeds.SCORES_THE_BET,
    bets_close=BetsClose.ALL_BUT_ONE_OUT,
    bet_split=BetSplit.FULL,
    first_out_bonus=0,
    card_points=CardPoints.POINT_CARDS,
    final_hand=FinalHand.NOBODY,
    haggis=Haggis.LAST_TO_PLAY,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=True,
    lead_tie=LeadTie.LEFT_OF_DEALER,
    suggested_targets=(250, 350),
    suggests_targets_between=True,
    suggested_rounds=((2, (6, 7, 8)), (3, (9,))),
    options=(BOMB_CAPTURE,),
    rulings=(
        *WITH_A_DEALER,
        SETS,
        COURT_CARDS,
        MIXED_SUITS,
        *AT_EVERY_TABLE,
        BETS_STAY_OPEN,
        AMOUNTS,
        BET_JUDGED,
        NOT_TO_THE_BETTOR,
        GOING_OUT,
        WINNER_IS_OUT,
        FINAL_HAND,
        *AT_TABLES_OF_THREE,
        TOURNAMENT_NEXT,
        TOURNAMENT_ADDED,
        ONE_CHOICE,
        OTHER_GAMES,
    ),
)

# Version 1: a face card in a run or stair could also stand for its own rank, as in the other rule sets.
BOOKLET_1: Final = replace(
    BOOKLET,
    version="1",
    face_cards=FaceCards.WILD_OR_OWN_RANK,
    suggests_targets_between=False,
    suggested_rounds=((2, (6, 8)), (3, (6, 9))),
    rulings=tuple(ruling for ruling in BOOKLET.rulings if ruling is not COURT_CARDS),
)
