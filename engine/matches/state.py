"""Represent a match at one moment: what was agreed, the totals, and the current round."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from engine.cards.hand import mask_of
from engine.deals.deal import Deal
from engine.matches.ending import Length
from engine.matches.first_lead import first_dealer_and_leader
from engine.rounds.state import RoundState, start_round
from engine.rulesets.model import TableRules

# Returns the deal of a round by its number: the caller has the chain, the engine does not.
Dealing = Callable[[int], Deal]


class Reason(StrEnum):
    """Why a match that was played to its end is over."""

    TARGET = "target"
    ROUNDS = "rounds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a match ended."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """A match between two actions; `round` is the current round, or the last one if there is a `result`."""

    rules: TableRules
    length: Length
    totals: tuple[int, ...]
    round: RoundState = field(repr=False)
    result: Result | None = None

    @property
    def is_over(self) -> bool:
        """Whether the match has been won."""
        return self.result is not None


def start_match(rules: TableRules, length: Length, *, first_seat: int, dealing: Dealing) -> MatchState:
    """Return a new match with its first round dealt; `first_seat` deals it, or leads it in deluxe."""
    dealer, leader = first_dealer_and_leader(rules, first_seat)
    return MatchState(
        rules=rules,
        length=length,
        totals=(0,) * rules.players,
        round=deal_round(rules, number=1, dealer=dealer, leader=leader, dealing=dealing),
    )


def deal_round(
    rules: TableRules, *, number: int, dealer: int | None, leader: int, dealing: Dealing
) -> RoundState:
    """Return the start of round `number`."""
    deal = dealing(number)
    return start_round(
        rules,
        number=number,
        dealer=dealer,
        leader=leader,
        dealt=tuple(mask_of(hand) for hand in deal.hands),
        haggis=mask_of(deal.haggis),
    )
