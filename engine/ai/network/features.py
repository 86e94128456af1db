"""Compute the features of a decision: of the seat's situation, and of each play it may make.

What is equal for all plays of a decision is computed once (`situation_features`), what a play leaves behind
for each play (`play_features`). A play of 0 is a pass.
"""

from typing import Final

from engine.ai.network.arrays import Bools, Floats, Ints, np
from engine.ai.network.beating import chances
from engine.ai.network.columns import SUIT_WIDTH, suit_sums, write_suit_features
from engine.ai.network.situation import (
    COUNT,
    CURRENT,
    FACES_HELD,
    FIRST_OPPONENT,
    HAND,
    OPPONENT_WIDTH,
    OUT,
    PASS_ENDS,
    PASSED,
    PILE,
    TERMS,
    UNSEEN,
    WINNER,
)
from engine.ai.network.turns import TURNS_WIDTH, turns
from engine.cards.deck import SUITS_FOR
from engine.cards.hand import ALL_JACKS, ALL_KINGS, ALL_QUEENS, FACES_AT, HAND_BITS, RANK_MASK
from engine.combinations.kinds import COMBINATIONS, FIRST_BOMB, Combination, Kind
from engine.combinations.plays import COMBINATION_AT

_SIZES: Final = np.eye(18, dtype=np.float32)
_FACES: Final = np.eye(8, dtype=np.float32)
_TERMS: Final = 6
_AGAINST: Final = 64 + 6
_OPPONENT: Final = 18 + 8 + 1 + 4
_POINT_CARDS: Final = RANK_MASK[3] | RANK_MASK[5] | RANK_MASK[7] | RANK_MASK[9]
_PER_CARD: Final = 1
_NEVER: Final = 14


def _named(each: Combination | None) -> list[float]:
    """Return features for the kind of a combination and its height."""
    shapes = [0.0] * 12
    tops = [0.0] * 14
    if each is None:
        shapes[0] = 1
        return shapes + tops
    top = (each.top - 2) / 11
    match each.kind:
        case Kind.SET:
            shapes[min(each.width, 4)] = 1
            if each.width == 1:
                tops[each.top - 2] = 1
            tops[11 + min(each.width, 3) - 1] = top
        case Kind.RUN:
            shapes[4 + min(each.length, 5) - 2] = 1
            tops[12] = top
        case Kind.STAIR:
            shapes[8 if each.length == 2 and each.width == 2 else 9] = 1
            tops[13] = top
        case Kind.BOMB:
            shapes[10 if each.top == 1 else 11] = each.top / 6
    return shapes + tops


_NAMED_WIDTH: Final = 26
_NAMED: Final[Floats] = np.array([_named(None), *map(_named, COMBINATIONS)], dtype=np.float32)


def _faces_above(faces: int, each: Combination) -> float:
    """Return the share of these face cards that beat the combination as singles."""
    if each.kind is not Kind.SET or each.width > 1:
        return 0.0
    return sum(faces >> face & 1 for face in range(3) if 11 + face > each.top) / 3


_FACES_ABOVE: Final[Floats] = np.array(
    [[0.0, *(_faces_above(faces, each) for each in COMBINATIONS)] for faces in range(8)], dtype=np.float32
)
_SIZE: Final[Ints] = np.array([0, *(each.width * each.length for each in COMBINATIONS)], dtype=np.int64)


def situation_width(players: int) -> int:
    """Return the number of features of a situation."""
    return SUIT_WIDTH + (players - 1) * _OPPONENT + 2 + _TERMS + 2


def play_width(players: int) -> int:
    """Return the number of features of a play."""
    return SUIT_WIDTH + 18 + 8 + _NAMED_WIDTH + 10 + _AGAINST * (players - 1) + 3 + TURNS_WIDTH


class Situations:
    """Many situations, and what all plays in each of them have in common."""

    def __init__(self, rows: Ints, players: int) -> None:
        """Compute what the plays have in common."""
        self.rows = rows
        self.players = players
        self.suits = SUITS_FOR[players]
        self.sums = suit_sums(rows[:, UNSEEN], self.suits)
        self.unseen = np.bitwise_count(rows[:, UNSEEN]).astype(np.float32)
        self.hand_chances = [self._hand_chance(step) for step in range(players - 1)]
        self.beaten = [chances(rows[:, UNSEEN], chance, self.suits) for chance in self.hand_chances]
        self.features = self._features()

    def opponent(self, step: int, part: int) -> Ints:
        """Return a column of the rows that describes one of the opponents."""
        column: Ints = self.rows[:, FIRST_OPPONENT + step * OPPONENT_WIDTH + part]
        return column

    def _hand_chance(self, step: int) -> Floats:
        """Return the chance of each unseen suit card to be in this opponent's hand."""
        suit_cards = self.opponent(step, COUNT) - np.bitwise_count(self.opponent(step, FACES_HELD))
        chance: Floats = (suit_cards / np.maximum(self.unseen, 1)).astype(np.float32)
        return chance

    def _features(self) -> Floats:
        rows = self.rows
        found = np.zeros((len(rows), situation_width(self.players)), dtype=np.float32)
        write_suit_features(self.sums, found[:, :SUIT_WIDTH])
        at = SUIT_WIDTH
        for step in range(self.players - 1):
            found[:, at : at + 18] = _SIZES[self.opponent(step, COUNT)]
            found[:, at + 18 : at + 26] = _FACES[self.opponent(step, FACES_HELD)]
            found[:, at + 26] = self.hand_chances[step]
            for kind in range(3):
                found[:, at + 27 + kind] = (_NEVER - self.opponent(step, PASSED + kind)) / 12
            found[:, at + 30] = np.minimum(self.opponent(step, PASSED + 3), 4) / 4
            at += _OPPONENT
        found[:, at] = rows[:, OUT]
        found[:, at + 1] = self.unseen / 36
        for bit in range(_TERMS):
            found[:, at + 2 + bit] = rows[:, TERMS] >> bit & 1
        found[:, at + 8] = rows[:, WINNER] == 1
        found[:, at + 9] = rows[:, WINNER] == 2
        return found

    def play_features(self, plays: Ints, at: Ints) -> Floats:
        """Return the features of what each play leaves behind; `at` is the index of its situation."""
        rows = self.rows[at]
        found = np.zeros((len(plays), play_width(self.players)), dtype=np.float32)
        cards = plays & HAND_BITS
        hand = rows[:, HAND] & ~cards
        sums = suit_sums(hand, self.suits)
        write_suit_features(sums, found[:, :SUIT_WIDTH])
        column = SUIT_WIDTH
        found[:, column : column + 18] = _SIZES[np.bitwise_count(hand)]
        found[:, column + 18 : column + 26] = _FACES[hand >> FACES_AT]
        column += 26
        passed = plays == 0
        ends = passed & (rows[:, PASS_ENDS] == 1)
        number = np.where(passed, np.where(ends, 0, rows[:, CURRENT]), plays >> COMBINATION_AT)
        found[:, column : column + _NAMED_WIDTH] = _NAMED[number]
        column += _NAMED_WIDTH
        self._add_trick(found[:, column : column + 10], rows, cards, passed, ends)
        column += 10
        for step in range(self.players - 1):
            self._add_against(found[:, column : column + _AGAINST], step, at, number, hand)
            column += _AGAINST
        self._add_masters(found[:, column:], sums, at)
        turns(hand, self.suits, found[:, column + 3 :])
        return found

    def _add_against(self, found: Floats, step: int, at: Ints, number: Ints, hand: Ints) -> None:
        """Write an opponent's chances against the play: face cards, beating it, going out by beating it."""
        faces = self.opponent(step, FACES_HELD)[at]
        found[np.arange(len(at)), (hand >> FACES_AT) << 3 | faces] = 1
        natural, helped = self.beaten[step]
        by_suit_cards = natural[at, number]
        left = self.opponent(step, COUNT)[at] - _SIZE[number]
        by_faces = _FACES_ABOVE[faces, number]
        found[:, 64] = by_suit_cards
        found[:, 65] = helped[at, number]
        found[:, 66] = by_faces
        found[:, 67] = np.where(left == 0, np.maximum(by_suit_cards, by_faces > 0), 0)
        found[:, 68] = np.where((left == 1) | (left == 2), by_suit_cards, 0)
        found[:, 69] = left < 0

    @staticmethod
    def _add_trick(found: Floats, rows: Ints, cards: Ints, passed: Bools, ends: Bools) -> None:
        """Write who owns the trick, what it contains, and the size of the play."""
        points = points_in(rows[:, PILE] | cards, rows[:, TERMS] & _PER_CARD) / 10
        current_bomb = rows[:, CURRENT] >= FIRST_BOMB
        size = np.bitwise_count(cards) / 8
        found[:, 0] = passed
        found[:, 1] = ends
        found[:, 2] = points
        found[:, 3] = points * passed
        found[:, 4] = points * (passed & current_bomb)
        found[:, 5] = size
        left = np.bitwise_count(rows[:, HAND]) - np.bitwise_count(cards)
        found[:, 6] = left == 0
        found[:, 7] = left / 17
        nearest = rows[:, FIRST_OPPONENT + COUNT]
        found[:, 8] = (nearest < np.bitwise_count(cards)) & ~passed
        found[:, 9] = points * current_bomb

    def _add_masters(self, found: Floats, sums: Floats, at: Ints) -> None:
        """Write how many cards and pairs of the hand no unseen suit cards beat, as an expectation."""
        above = np.cumsum(self.sums[:, 8::-1], axis=1)[:, ::-1] - self.sums[:, :9]
        single = np.exp(-above * self.hand_chances[0][:, None])[at]
        pairs = self.sums[:, :9] >= 2
        above_pairs: Floats = np.cumsum(pairs[:, ::-1], axis=1)[:, ::-1] - pairs
        double = np.exp(-above_pairs * (self.hand_chances[0] ** 2)[:, None])[at]
        found[:, 0] = (sums[:, :9] * single).sum(axis=1) / 4
        found[:, 1] = ((sums[:, :9] >= 2) * double).sum(axis=1) / 2
        found[:, 2] = ((sums[:, :9] >= 1) * single).max(axis=1)


def points_in(piles: Ints, per_card: Ints) -> Floats:
    """Return what piles are worth when captured: one point per card, or by their point cards."""
    cards = np.bitwise_count(piles).astype(np.float32)
    point_cards = (
        np.bitwise_count(piles & _POINT_CARDS)
        + 2 * np.bitwise_count(piles & ALL_JACKS)
        + 3 * np.bitwise_count(piles & ALL_QUEENS)
        + 5 * np.bitwise_count(piles & ALL_KINGS)
    )
    return np.where(per_card == 1, cards, point_cards)
