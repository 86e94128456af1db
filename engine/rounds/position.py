"""Represent the state of play in a round: exactly what the rules of tricks depend on.

A position is small and immutable; a play, a pass or an award creates a new one. Bets, the log and what
players have been shown are stored around it (see `engine.rounds.state`), so that a search can visit millions
of positions.
"""

from typing import Final

from engine.cards.deck import SUITS_FOR
from engine.combinations.plays import NO_PLAY
from engine.combinations.rules import CombinationRules
from engine.rulesets.terms import BombCapture

NOBODY: Final = -1


class Table(CombinationRules):
    """The rules about combinations and tricks that apply to all rounds of a match."""

    __slots__ = ("bomb_capture", "captured_by_ordinary", "players")

    def __init__(
        self,
        players: int,
        *,
        bomb_capture: BombCapture = BombCapture.WINNER_CHOOSES,
        above_ten: bool = True,
    ) -> None:
        """Store the rules; `bomb_capture` decides who captures a bombed trick among three players."""
        super().__init__(SUITS_FOR[players], above_ten=above_ten)
        self.players: Final = players
        self.bomb_capture: Final = bomb_capture
        self.captured_by_ordinary: Final = bomb_capture is BombCapture.LAST_ORDINARY

    def same_as(self, other: "Table") -> bool:
        """Return whether the same rules of tricks apply at both tables."""
        return (
            self.players == other.players
            and self.bomb_capture is other.bomb_capture
            and self.above_ten == other.above_ten
        )


class Position:
    """One moment of a round.

    `hands` are the cards in hand, `captured` the piles won, `pile` the cards of the current trick. `current`
    is the play to beat (0 if the trick has not been led), `winner` the seat that made it, `below` the seat
    that made the play under it, `passes` the number of passes since. `ordinary` is the seat that last played
    a non-bomb in the trick; it is tracked only at tables where that decides who captures (else it is
    `NOBODY`). `out` are the seats that went out, in order, and `opposing` the size of the largest opposing
    hand at each of these times. `captor` captured the last trick that ended. While `award_due` is set,
    `winner` still has to choose who captures. `to_act` is `NOBODY` when the round is over.
    """

    __slots__ = (
        "award_due",
        "below",
        "captor",
        "captured",
        "current",
        "hands",
        "opposing",
        "ordinary",
        "out",
        "passes",
        "pile",
        "table",
        "to_act",
        "winner",
    )

    def __init__(  # noqa: PLR0913, PLR0917 -- a position has this many parts; callers pass them by name
        self,
        table: Table,
        hands: tuple[int, ...],
        captured: tuple[int, ...],
        pile: int,
        current: int,
        winner: int,
        below: int,
        passes: int,
        to_act: int,
        award_due: bool,  # noqa: FBT001 -- passed by name like the others
        out: tuple[int, ...],
        opposing: tuple[int, ...],
        captor: int,
        ordinary: int = NOBODY,
    ) -> None:
        """Require every part by name, since most rules change most of them."""
        self.table: Final = table
        self.hands: Final = hands
        self.captured: Final = captured
        self.pile: Final = pile
        self.current: Final = current
        self.winner: Final = winner
        self.below: Final = below
        self.passes: Final = passes
        self.to_act: Final = to_act
        self.award_due: Final = award_due
        self.out: Final = out
        self.opposing: Final = opposing
        self.captor: Final = captor
        self.ordinary: Final = ordinary

    def parts(self) -> tuple[object, ...]:
        """Return everything by which two positions at the same table can differ."""
        return (
            self.hands,
            self.captured,
            self.pile,
            self.current,
            self.winner,
            self.below,
            self.passes,
            self.to_act,
            self.award_due,
            self.out,
            self.opposing,
            self.captor,
            self.ordinary,
        )

    def __eq__(self, other: object) -> bool:
        """Compare positions as values, by their parts."""
        return (
            isinstance(other, Position) and self.table.same_as(other.table) and self.parts() == other.parts()
        )

    def __hash__(self) -> int:
        """Return a hash that is equal for equal positions."""
        return hash(self.parts())

    def is_over(self) -> bool:
        """Return whether all but one are out and every trick is captured."""
        return self.to_act == NOBODY

    def all_but_one_out(self) -> bool:
        """Return whether the last card has been played; an award may still be due."""
        return len(self.out) == self.table.players - 1


def first_position(table: Table, hands: tuple[int, ...], leader: int) -> Position:
    """Return the start of a round: everyone has all their cards, and the leader is to play."""
    return Position(
        table=table,
        hands=hands,
        captured=(0,) * table.players,
        pile=0,
        current=NO_PLAY,
        winner=NOBODY,
        below=NOBODY,
        passes=0,
        to_act=leader,
        award_due=False,
        out=(),
        opposing=(),
        captor=NOBODY,
    )
