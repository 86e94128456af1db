"""The summary booklet of the newer edition. The text that has come down is damaged; the rulings mend it."""

from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE
from engine.rulesets.rulings import AT_EVERY_TABLE, AT_TABLES_OF_THREE, WITH_A_DEALER
from engine.rulesets.terms import BetSplit, BetSucceeds, BombCapture, CardPoints, FinalHand, Haggis, LeadTie

SETS: Final = Ruling(
    "sets",
    "The list of combinations is damaged where sets should be. Sets are played as in the other rule sets.",
)
AMOUNTS: Final = Ruling("amounts", "The bet cards are those of the same edition's large box: 5, 15 and 30.")
GOING_OUT: Final = Ruling(
    "going_out",
    "A player who goes out counts the largest opposing hand at that moment, the first to go out and the "
    "second alike.",
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
    "A bomb that ends the round gives the final trick and the haggis to one and the same opponent: the one "
    "whom the winner of the trick chooses, or, with the tournament option, the one who captures the trick.",
)
FINAL_HAND: Final = Ruling("final_hand", "The cards left in the last hand are captured by nobody.")
OTHER_GAMES: Final = Ruling(
    "other_games",
    "The booklet also names other games, and more players. It does not give their rules; they are not "
    "played here.",
)

BOOKLET: Final = RuleSet(
    key="booklet",
    title="Booklet",
    summary="The short booklet of the newer edition, in which a bet is on points and not on going out first.",
    version="1",
    players=(2, 3),
    bet_amounts=(5, 15, 30),
    bet_succeeds=BetSucceeds.SCORES_THE_BET,
    bet_split=BetSplit.FULL,
    first_out_bonus=0,
    card_points=CardPoints.POINT_CARDS,
    final_hand=FinalHand.NOBODY,
    haggis=Haggis.LAST_TO_PLAY,
    bomb_capture=BombCapture.WINNER_CHOOSES,
    has_dealer=True,
    lead_tie=LeadTie.LEFT_OF_DEALER,
    suggested_targets=(250, 350),
    suggested_rounds=((2, (6, 8)), (3, (6, 9))),
    options=(BOMB_CAPTURE,),
    rulings=(
        *WITH_A_DEALER,
        SETS,
        *AT_EVERY_TABLE,
        AMOUNTS,
        BET_JUDGED,
        NOT_TO_THE_BETTOR,
        GOING_OUT,
        FINAL_HAND,
        *AT_TABLES_OF_THREE,
        ONE_CHOICE,
        OTHER_GAMES,
    ),
)
