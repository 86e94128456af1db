"""Rulings that several rule sets share."""

from typing import Final

from engine.rulesets.model import Ruling

FIRST_DEALER: Final = Ruling("first_dealer", "The first dealer is drawn at random.")

LEADER_PLAYS: Final = Ruling("leader_plays", "The leader of a trick has to play; only the others may pass.")

STAIR_WIDTH: Final = Ruling(
    "stair_width",
    "A run or stair stays within the suits of the deck and has each rank once in each of its suits, "
    "including wild cards. With two players a stair is at most four suits wide, with three at most five.",
)

WILD_BELOW: Final = Ruling(
    "wild_below",
    "In a run or stair a face card stands for a rank below its own, or for its own. Reading it as 'any "
    "card' instead would allow exactly the same plays, because a hand has only one J, one Q and one K.",
)

READINGS: Final = Ruling(
    "readings",
    "Cards that can be several combinations are played as the one the player names. If unnamed, only "
    "readings that beat the current play count: if they have one shape, the highest is taken; if they "
    "have several shapes, the play is refused until one is named. A lower reading may be named on "
    "purpose.",
)

NO_BET: Final = Ruling(
    "no_bet",
    "Declaring 0 means not to bet: it is final like any bet, and the player counts as one without a bet.",
)

BETS_CLOSE: Final = Ruling(
    "bets_close",
    "A bet may be made out of turn, after passing, and while the capture of a trick is undecided. Once a "
    "player has gone out it is too late for everybody: the bet is on going out first, and that is "
    "decided.",
)

BETS_STAY_OPEN: Final = Ruling(
    "bets_close",
    "A bet may be made out of turn, after passing, after another player has gone out, and while the "
    "capture of a trick is undecided. Once all but one player are out it is too late.",
)

NO_FIVE: Final = Ruling("no_five", "There is no bet of 5: only some of the other rule sets have it.")

CHOICE_WAITS: Final = Ruling(
    "choice_waits",
    "With three players the winner of a bombed trick chooses who captures it, even if already out, and "
    "may choose an opponent who is out. Play waits for the choice.",
)

BOMB_ENDS_ROUND: Final = Ruling(
    "bomb_ends_round",
    "A three-player round that ends on a bomb is scored when the winner of that trick has chosen who "
    "captures it.",
)

TOURNAMENT_NEXT: Final = Ruling(
    "tournament_next",
    "Tournament: the next-highest combination is the play just below the winning bomb, whether it is a "
    "bomb or not. It counts even if its player is out, and so does the player to the right of a leader "
    "whose bomb nobody beat.",
)

DEALER_TIE: Final = Ruling(
    "dealer_tie",
    "When several players share the most points, the player who went out first in the last round deals, "
    "even if not one of them.",
)

LEAD_TIE: Final = Ruling(
    "lead_tie",
    "When several players share the fewest points, the player to the left of the dealer leads, even if "
    "not one of them.",
)

AT_EVERY_TABLE: Final = (LEADER_PLAYS, STAIR_WIDTH, READINGS, NO_BET)
AT_TABLES_OF_THREE: Final = (CHOICE_WAITS, BOMB_ENDS_ROUND)
WITH_A_DEALER: Final = (FIRST_DEALER, DEALER_TIE, LEAD_TIE)
