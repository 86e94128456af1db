"""Where the play of a round stands: everything that the rules of tricks look at, and nothing else.

A position is small and never changes; a play, a pass or an award makes a new one. Bets, the log and what
players have been shown are kept around it (see `engine.rounds.state`), so that a search may go through
millions of these.
"""

from typing import Final

from engine.cards.deck import SUITS_FOR
from engine.combinations.plays import NO_PLAY
from engine.combinations.rules import CombinationRules
from engine.rulesets.terms import BombCapture

NOBODY: Final = -1


class Table(CombinationRules):
    """What stays the same for all rounds of a match, as far as combinations and tricks are concerned."""

    __slots__ = ("bomb_capture", "captured_by_ordinary", "players")

    def __init__(
        self,
        players: int,
        *,
        bomb_capture: BombCapture = BombCapture.WINNER_CHOOSES,
        above_ten: bool = True,
    ) -> None:
        """Set the table; `bomb_capture` says who captures a bombed trick of three."""
        super().__init__(SUITS_FOR[players], above_ten=above_ten)
        self.players: Final = players
        self.bomb_capture: Final = bomb_capture
        self.captured_by_ordinary: Final = bomb_capture is BombCapture.LAST_ORDINARY

    def same_as(self, other: "Table") -> bool:
        """Return whether the same rules of tricks hold at both tables."""
        return (
            self.players == other.players
            and self.bomb_capture is other.bomb_capture
            and self.above_ten == other.above_ten
        )


class Position:
    """One moment of a round.

    `hands` are the cards held, `captured` the piles won, `pile` the cards of the trick being played.
    `current` is the play to beat (0: the trick is to be led), `winner` who made it, `below` who made the
    one under it, `passes` how many have passed since. `ordinary` is who last played no bomb in the trick,
    followed only at tables where that decides who captures (else nobody). `out` are the seats that went
    out, in order, `opposing` the size of the largest opposing hand when each did. `captor` took the last
    trick that ended. While `award_due` is set, `winner` still has to say who captures. Nobody is `to_act`
    when the round is over.
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

    def __init__(  # noqa: PLR0913, PLR0917 -- a position has this many parts, each named where one is made
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
        award_due: bool,  # noqa: FBT001 -- named like the others
        out: tuple[int, ...],
        opposing: tuple[int, ...],
        captor: int,
        ordinary: int = NOBODY,
    ) -> None:
        """Name every part: most rules change most of them."""
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
        """Everything by which two positions at one table may differ."""
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
        """Positions are values: they are equal when their parts are."""
        return (
            isinstance(other, Position) and self.table.same_as(other.table) and self.parts() == other.parts()
        )

    def __hash__(self) -> int:
        """Equal positions hash alike."""
        return hash(self.parts())

    def is_over(self) -> bool:
        """Whether all but one are out and every trick is captured."""
        return self.to_act == NOBODY

    def all_but_one_out(self) -> bool:
        """Whether the last card has been played; a choice of who captures may still be due."""
        return len(self.out) == self.table.players - 1


def first_position(table: Table, hands: tuple[int, ...], leader: int) -> Position:
    """The start of a round: everyone has all cards, and the leader is to play."""
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
