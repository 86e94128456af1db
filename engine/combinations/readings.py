"""Find every combination that a group of cards can form, and explain why a group forms none."""

from dataclasses import dataclass

from engine.cards.hand import FACES_AT, RANK_MASK, SUIT_CARD_BITS
from engine.combinations.bombs import POINT_RANKS, bombs_of
from engine.combinations.kinds import Combination, combination_of
from engine.combinations.ladders import ranks_between, ranks_in, suit_count
from engine.combinations.rules import CombinationRules
from engine.combinations.runs import runs_of
from engine.combinations.sets import sets_of
from engine.combinations.stair_patterns import WIDEST_STAIR
from engine.combinations.stairs import stairs_of
from engine.combinations.wilds import Wild, wilds_in
from engine.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Reading:
    """One combination that some cards can form, and what its wild cards then stand for."""

    combination: Combination
    wilds: tuple[Wild, ...]


def numbers_of(cards: int, rules: CombinationRules) -> tuple[int, ...]:
    """Return the numbers of the combinations that these cards can form under these rules, low to high."""
    if not cards & (cards - 1):  # one card is a single and nothing else
        return sets_of(cards)
    numbers = sets_of(cards) + runs_of(cards) + stairs_of(cards, rules.suits) + bombs_of(cards)
    return numbers if rules.above_ten else tuple([each for each in numbers if rules.allows(each)])


def reading_of(cards: int, number: int) -> Reading:
    """Return these cards read as the combination with this number."""
    combination = combination_of(number)
    return Reading(combination, wilds_in(cards, combination))


def readings_of(cards: int, rules: CombinationRules) -> tuple[Reading, ...]:
    """Return every reading of these cards.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> from engine.combinations.rules import FOUR_SUITS
    >>> [str(reading.combination) for reading in readings_of(mask_of(parse_cards("3r J Q")), FOUR_SUITS)]
    ['three threes', 'run of three, two to four', 'run of three, three to five']
    """
    return tuple(reading_of(cards, number) for number in numbers_of(cards, rules))


def violated_clause(cards: int, rules: CombinationRules) -> Clause:
    """Return the clause that the closest combination would break, for cards that form no combination."""
    if not rules.above_ten and runs_of(cards):
        return Clause.FACES_ONLY_WILD
    if stairs_of(cards, WIDEST_STAIR):
        return Clause.STAIR_SUITS_IN_PLAY
    suit_cards = cards & SUIT_CARD_BITS
    count = cards.bit_count()
    if _could_be_point_bomb(suit_cards, count):
        return Clause.BOMB_ONE_SUIT_OR_FOUR if suit_cards == cards else Clause.BOMB_NO_WILDS
    if suit_count(suit_cards) == 1:
        return Clause.RUN_THREE_CARDS if count == 2 else Clause.RUN_CONSECUTIVE
    return Clause.SET_ONE_RANK if count == 2 else _nearest_ladder_clause(cards)


def _nearest_ladder_clause(cards: int) -> Clause:
    """Pick a run as the closest combination if all ranks differ, or a stair if some cards share a rank."""
    suit_cards = cards & SUIT_CARD_BITS
    ranks = ranks_in(suit_cards)
    if ranks.bit_count() == suit_cards.bit_count():
        return Clause.RUN_ONE_SUIT
    lowest, highest = ranks_between(ranks)
    if 2 * (highest - lowest + 1 - ranks.bit_count()) > (cards >> FACES_AT).bit_count():
        return Clause.STAIR_CONSECUTIVE
    return Clause.STAIR_SAME_SUITS


def _could_be_point_bomb(suit_cards: int, count: int) -> bool:
    """Return whether these are four cards of which three or four have different ranks among 3, 5, 7 and 9."""
    counts = [(suit_cards & RANK_MASK[rank]).bit_count() for rank in POINT_RANKS]
    return count == 4 and sum(counts) == suit_cards.bit_count() and max(counts) == 1 and sum(counts) >= 3
