"""Describe the terms in words, for the API and the rule pages: one sentence per answer."""

from collections.abc import Mapping
from typing import Final

from engine.cards.card import RANK_CODES
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import (
    POINTS_OF_RANK,
    POINTS_PER_CARD_LEFT,
    THREE,
    BetsClose,
    BetSucceeds,
    CardPoints,
    FaceCards,
    FinalHand,
    Haggis,
    LeadTie,
    Terms,
)

BET_SUCCEEDS: Final[Mapping[BetSucceeds, str]] = {
    BetSucceeds.GOES_OUT_FIRST: "A bet succeeds when its player is the first to go out.",
    BetSucceeds.SCORES_THE_BET: (
        "A bet succeeds when its player scores at least that much in the round for going out and for "
        "captured cards."
    ),
}
BETS_CLOSE: Final[Mapping[BetsClose, str]] = {
    BetsClose.FIRST_OUT: "Once a player has gone out, nobody may bet.",
    BetsClose.ALL_BUT_ONE_OUT: "Bets stay open after a player has gone out, until all but one are out.",
}
FACE_CARDS: Final[Mapping[FaceCards, str]] = {
    FaceCards.WILD_OR_OWN_RANK: (
        "They need not be wild: in a run or stair, a face card can also stand for its own rank."
    ),
    FaceCards.WILD_ONLY: "In a run or stair they are only wild, so no run or stair goes above ten.",
}
CARD_POINTS: Final[Mapping[CardPoints, str]] = {
    CardPoints.POINT_CARDS: (
        "Captured point cards score: each 3, 5, 7 and 9 one point, a jack 2, a queen 3, a king 5. Other "
        "cards score nothing."
    ),
    CardPoints.ONE_PER_CARD: "Every captured card scores one point.",
}
FINAL_HAND: Final[Mapping[FinalHand, str]] = {
    FinalHand.FIRST_OUT: "The first to go out captures the cards left in the last player's hand.",
    FinalHand.NOBODY: "Nobody captures the cards left in the last player's hand.",
}
HAGGIS: Final[Mapping[Haggis, str]] = {
    Haggis.FIRST_OUT: "The first to go out captures the haggis.",
    Haggis.LAST_TO_PLAY: (
        "The player of the last combination captures the haggis; if it was a bomb, the opponent who "
        "captures the final trick takes the haggis too."
    ),
    Haggis.NOBODY: "Nobody captures the haggis.",
}
LEAD_TIE: Final[Mapping[LeadTie, str]] = {
    LeadTie.LEFT_OF_DEALER: (
        "The player with the fewest points in the match leads the next round; if several have the fewest, "
        "the player to the left of the dealer."
    ),
    LeadTie.LEFT_OF_LAST_LEADER: (
        "The player with the fewest points in the match leads the next round; if several have the fewest, "
        "the player to the left of the one who led the first trick of the last round."
    ),
}
_NO_DEALER: Final = "There is no dealer. The leader of the first round is drawn at random."
_FIRST_DEALER: Final = (
    "The first dealer is drawn at random, and the player to the dealer's left leads the first round."
)
_NEXT_DEALER: Final = (
    "After that the player with the most points in the match deals; if several have the most, the one who "
    "went out first in the last round."
)


def going_out(players: tuple[int, ...]) -> str:
    """Describe what going out scores."""
    who = "A player who goes out, first or second," if THREE in players else "A player who goes out"
    return f"{who} scores {POINTS_PER_CARD_LEFT} points per card in the largest opposing hand at that moment."


def first_out_bonus(terms: Terms) -> tuple[str, ...]:
    """Describe the bonus for going out first, if there is one."""
    if not terms.first_out_bonus:
        return ()
    return (f"With three players the first to go out scores {terms.first_out_bonus} extra points.",)


def failed_bet(players: tuple[int, ...]) -> str:
    """Describe who is paid if a bet fails."""
    if THREE not in players:
        return "A bet that succeeds is scored by its player, a bet that fails by the opponent."
    return (
        "A bet that succeeds is scored by its player. A bet that fails is scored in full by the first to "
        "go out, and also by each other player who did not bet; never by the player who made it."
    )


def scoring(terms: Terms, players: tuple[int, ...]) -> tuple[str, ...]:
    """Describe everything that scores, one sentence per rule."""
    return (
        going_out(players),
        *first_out_bonus(terms),
        CARD_POINTS[terms.card_points],
        FINAL_HAND[terms.final_hand],
        HAGGIS[terms.haggis],
        BET_SUCCEEDS[terms.bet_succeeds],
        failed_bet(players),
    )


def dealing(terms: Terms) -> tuple[str, ...]:
    """Describe who deals and who leads, first and later."""
    if not terms.has_dealer:
        return (_NO_DEALER, LEAD_TIE[terms.lead_tie])
    return (_FIRST_DEALER, _NEXT_DEALER, LEAD_TIE[terms.lead_tie])


def suggested_targets(rules: RuleSet) -> str:
    """Return the suggested targets in words."""
    if rules.suggests_targets_between:
        return " to ".join(map(str, rules.suggested_targets))
    return join_numbers(rules.suggested_targets)


def length(rules: RuleSet) -> tuple[str, ...]:
    """Describe the lengths of a match that the text suggests, one sentence per suggestion."""
    return (
        f"The text suggests {suggested_targets(rules)} points.",
        *(
            f"With {players} players it also suggests {join_numbers(rounds)} rounds."
            for players, rounds in rules.suggested_rounds
        ),
    )


def points_by_code(card_points: CardPoints) -> dict[str, int]:
    """Return the points of the scoring cards by rank code.

    >>> points_by_code(CardPoints.POINT_CARDS)
    {'3': 1, '5': 1, '7': 1, '9': 1, 'J': 2, 'Q': 3, 'K': 5}
    """
    return {RANK_CODES[rank]: points for rank, points in POINTS_OF_RANK[card_points].items()}


def join_numbers(amounts: tuple[int, ...], last: str = "or") -> str:
    """Join numbers as in a sentence.

    >>> join_numbers((5, 15, 30))
    '5, 15 or 30'
    """
    *others, final = map(str, amounts)
    return f"{', '.join(others)} {last} {final}" if others else final
