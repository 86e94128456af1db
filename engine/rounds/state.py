"""Define the state of a round between two actions: the position of play and its context."""

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards.hand import FACES
from engine.rounds.position import Position, Table, first_position
from engine.rulesets.model import TableRules
from engine.rulesets.terms import FaceCards


class Entry(NamedTuple):
    """One turn of a trick: the seat and its play, 0 for a pass."""

    seat: int
    play: int


class Trick(NamedTuple):
    """A trick that has ended: who won it, who captured it, and its turns in order."""

    winner: int
    captured_by: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """One round at one moment; its repr hides the hands, which must never be shown.

    `dealt` are the full hands as dealt, including face cards; `trick` are the turns of the current trick,
    `tricks` the tricks that ended. A bet is None if the seat has not declared one.
    """

    rules: TableRules
    number: int
    dealer: int | None
    leader: int
    dealt: tuple[int, ...] = field(repr=False)
    haggis: int = field(repr=False)
    position: Position = field(repr=False)
    bets: tuple[int | None, ...]
    trick: tuple[Entry, ...] = ()
    tricks: tuple[Trick, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether all but one are out and every trick is captured."""
        return self.position.is_over()

    @property
    def to_act(self) -> int | None:
        """The seat to act, or None when the round is over."""
        return None if self.is_over else self.position.to_act


def start_round(
    rules: TableRules, *, number: int, dealer: int | None, leader: int, dealt: tuple[int, ...], haggis: int
) -> RoundState:
    """Return the start of a round from the suit cards dealt to each seat; everyone also gets J, Q and K."""
    hands = tuple(cards | FACES for cards in dealt)
    table = table_of(rules)
    return RoundState(
        rules=rules,
        number=number,
        dealer=dealer,
        leader=leader,
        dealt=hands,
        haggis=haggis,
        position=first_position(table, hands, leader),
        bets=(None,) * rules.players,
    )


def table_of(rules: TableRules) -> Table:
    """Return the part of the rules that combinations and tricks depend on."""
    return Table(
        rules.players,
        bomb_capture=rules.bomb_capture,
        above_ten=rules.face_cards is FaceCards.WILD_OR_OWN_RANK,
    )
