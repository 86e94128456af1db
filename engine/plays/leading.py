"""Find every play that may be led: each distinct reading of each group of cards in the hand, once."""

from engine.cards.hand import FACES_AT
from engine.combinations.bombs import bombs_in
from engine.combinations.rules import CombinationRules, up_to_ten
from engine.combinations.runs import runs_in
from engine.combinations.sets import SINGLE_FACES, sets_at
from engine.combinations.stairs import stairs_in


def leads(hand: int, rules: CombinationRules) -> list[int]:
    """Return every play of the hand under these rules in a stable order: sets, runs, stairs, bombs."""
    suits = rules.suits
    plays: list[int] = []
    for rank in range(2, 11):
        plays.extend(sets_at(rank, hand))
    plays.extend(SINGLE_FACES[hand >> FACES_AT])
    for suit in range(suits):
        plays.extend(runs_in(suit, hand))
    plays.extend(stairs_in(hand, suits))
    plays.extend(bombs_in(hand))
    return plays if rules.above_ten else up_to_ten(plays)
