"""The edition of 114 cards, for two or three players: a point for every card, and no dealer."""

from typing import Final

from engine.rulesets.model import RuleSet, Ruling
from engine.rulesets.options import BOMB_CAPTURE, CAPTURED
from engine.rulesets.rulings import AT_EVERY_TABLE, AT_TABLES_OF_THREE
from engine.rulesets.terms import BetSplit, BetSucceeds, BombCapture, CardPoints, FinalHand, Haggis, LeadTie

FIRST_LEADER: Final = Ruling("first_leader", "The first leader is drawn at random. Nobody is the dealer.")
LEAD_TIE: Final = Ruling(
    "lead_tie",
    "When several players share the fewest points, the next leader is the player to the left of whoever "
    "led the first trick of the last round, even a player who is not one of them.",
)
CAPTURED_CARDS: Final = Ruling(
    "captured_cards",
    "Of the two ways to count captured cards, the one that the text recommends is the default. Every card "
    "counts, the last hand and the haggis included.",
)
OTHER_GAMES: Final = Ruling(
    "other_games", "The box serves other games and more players; they are not played here."
)

DELUXE: Final = RuleSet(
    key="deluxe",
    title="Deluxe",
    summary="The edition of 114 cards: bets of three sizes, a point for every captured card, and no dealer.",
    version="1",
    players=(2, 3),
    bet_amounts=(5, 15, 30),
    bet_succeeds=BetSucceeds.GOES_OUT_FIRST,
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
    options=(BOMB_CAPTURE, CAPTURED),
    rulings=(FIRST_LEADER, LEAD_TIE, *AT_EVERY_TABLE, CAPTURED_CARDS, *AT_TABLES_OF_THREE, OTHER_GAMES),
)
