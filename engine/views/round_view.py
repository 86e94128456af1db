"""Define what one seat, or a spectator, may see of a round; hidden information is not in the value at all.

Played and captured cards are public, and each player's J, Q and K lie face up. The rest of a hand is visible
only to its own seat, and the haggis to nobody. Two rounds that differ only in hidden cards have equal views.
"""

from dataclasses import dataclass

from engine.cards.deck import haggis_size
from engine.cards.hand import FACES_AT
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open
from engine.rounds.position import NOBODY, Position
from engine.rounds.state import Entry, RoundState, Trick, table_of
from engine.rounds.turn import Expects, expected
from engine.rulesets.model import TableRules


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """What one viewer sees of a round; `seat` and `hand` are None for a spectator.

    `counts` are the sizes of the hands and `faces` their J, Q and K as three bits; `captured` are piles.
    `bets_open` are the amounts this viewer may bet, `awards` the seats that may be given a bombed trick. The
    fields from `pile` to `opposing` are those of a `Position`, all of them public.
    """

    rules: TableRules
    seat: int | None
    hand: int | None
    number: int
    dealer: int | None
    leader: int
    to_act: int | None
    expects: Expects | None
    counts: tuple[int, ...]
    faces: tuple[int, ...]
    haggis_count: int
    bets: tuple[int | None, ...]
    bets_open: tuple[int, ...]
    awards: tuple[int, ...]
    trick: tuple[Entry, ...]
    tricks: tuple[Trick, ...]
    captured: tuple[int, ...]
    pile: int
    current: int
    winner: int
    below: int
    passes: int
    captor: int
    ordinary: int
    out: tuple[int, ...]
    opposing: tuple[int, ...]

    @property
    def is_mine(self) -> bool:
        """Whether this viewer is to act."""
        return self.seat is not None and self.seat == self.to_act

    def position_with(self, hands: tuple[int, ...]) -> Position:
        """Return the position with these hands filled in, as a search assumes them."""
        return Position(
            table=table_of(self.rules),
            hands=hands,
            captured=self.captured,
            pile=self.pile,
            current=self.current,
            winner=self.winner,
            below=self.below,
            passes=self.passes,
            to_act=NOBODY if self.to_act is None else self.to_act,
            award_due=self.expects is Expects.AWARD,
            out=self.out,
            opposing=self.opposing,
            captor=self.captor,
            ordinary=self.ordinary,
        )


def view_round(state: RoundState, seat: int | None) -> RoundView:
    """Return the round as this seat sees it, or as a spectator does if `seat` is None."""
    position = state.position
    mine = seat is not None and seat == state.to_act
    return RoundView(
        rules=state.rules,
        seat=seat,
        hand=None if seat is None else position.hands[seat],
        number=state.number,
        dealer=state.dealer,
        leader=state.leader,
        to_act=state.to_act,
        expects=expected(position),
        counts=tuple([hand.bit_count() for hand in position.hands]),
        faces=tuple([hand >> FACES_AT for hand in position.hands]),
        haggis_count=haggis_size(state.rules.players),
        bets=state.bets,
        bets_open=() if seat is None else bets_open(state, seat),
        awards=may_capture(position) if mine and position.award_due else (),
        trick=state.trick,
        tricks=state.tricks,
        captured=position.captured,
        pile=position.pile,
        current=position.current,
        winner=position.winner,
        below=position.below,
        passes=position.passes,
        captor=position.captor,
        ordinary=position.ordinary,
        out=position.out,
        opposing=position.opposing,
    )
