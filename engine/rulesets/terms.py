"""The terms in which rule sets differ: one enumeration per question, one member per answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards.card import FACE_RANKS, JACK, KING, QUEEN, RANKS

TWO: Final = 2
THREE: Final = 3

POINTS_PER_CARD_LEFT: Final = 5

TARGETS: Final = range(1, 1001)
ROUNDS: Final = range(1, 101)
DEFAULT_TARGET: Final = 250


class BetSucceeds(StrEnum):
    """What a bet requires of the bettor."""

    GOES_OUT_FIRST = "goes_out_first"
    SCORES_THE_BET = "scores_the_bet"


class BetsClose(StrEnum):
    """When bets close for everybody; for each player they also close with their own first play."""

    FIRST_OUT = "first_out"
    ALL_BUT_ONE_OUT = "all_but_one_out"


class BetSplit(StrEnum):
    """How bets are paid."""

    FULL = "full"
    THIRDS = "thirds"


class CardPoints(StrEnum):
    """What captured cards are worth."""

    POINT_CARDS = "point_cards"
    ONE_PER_CARD = "one_per_card"


class FinalHand(StrEnum):
    """Who captures the cards left in the last player's hand."""

    FIRST_OUT = "first_out"
    NOBODY = "nobody"


class Haggis(StrEnum):
    """Who captures the undealt cards."""

    FIRST_OUT = "first_out"
    LAST_TO_PLAY = "last_to_play"
    NOBODY = "nobody"


class BombCapture(StrEnum):
    """Who captures a trick won by a bomb among three players.

    `NEXT_HIGHEST` is the player of the play just below the winning bomb, `LAST_ORDINARY` the player of the
    last combination that is not a bomb.
    """

    WINNER_CHOOSES = "winner_chooses"
    NEXT_HIGHEST = "next_highest"
    LAST_ORDINARY = "last_ordinary"


class FaceCards(StrEnum):
    """What a face card can be in a run or stair."""

    WILD_OR_OWN_RANK = "wild_or_own_rank"
    WILD_ONLY = "wild_only"


class LeadTie(StrEnum):
    """Whose left-hand neighbour leads if several players share the fewest points."""

    LEFT_OF_DEALER = "left_of_dealer"
    LEFT_OF_LAST_LEADER = "left_of_last_leader"


POINTS_OF_RANK: Final[Mapping[CardPoints, Mapping[int, int]]] = {
    CardPoints.POINT_CARDS: {3: 1, 5: 1, 7: 1, 9: 1, JACK: 2, QUEEN: 3, KING: 5},
    CardPoints.ONE_PER_CARD: dict.fromkeys(RANKS + FACE_RANKS, 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """One answer to each question: everything that play, scoring and the next deal need from a rule set.

    `bet_amounts` omits 0, which every rule set allows as "no bet". `first_out_bonus` applies to three players
    only.
    """

    face_cards: FaceCards
    bet_amounts: tuple[int, ...]
    bet_succeeds: BetSucceeds
    bets_close: BetsClose
    bet_split: BetSplit
    first_out_bonus: int
    card_points: CardPoints
    final_hand: FinalHand
    haggis: Haggis
    bomb_capture: BombCapture
    has_dealer: bool
    lead_tie: LeadTie
