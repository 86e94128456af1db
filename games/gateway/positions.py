"""Set up one round from a given deal and replay actions on it, without a stored match.

Lessons and puzzles are such positions. `replay_position` returns a `Table`, so whatever shows or changes the
table of a match works on it as well:

    dealt = DealtRound(number=1, dealer=1, leader=0, deal=Secret({"hands": [...], "haggis": [...]}))
    table = replay_position(agreement, dealt, [SeatAction(0, {"type": "bet", "amount": 15})])
    round_to_json(table.view(seat))  # the `round` that this seat sees
    own_options(table.view(seat))  # to_act, may_bet, bets, awards of `you`
    list_legal_moves(table, seat, named={}, expand=False)
    check_cards(table, seat, cards, named)  # the readings of some cards
    act_in_position(table, seat, parse_action(body))  # an ActionResult: table, log fields, events
    choose_action(table.view(seat), "easy")  # what an AI level would do (games.gateway.ai)

A table contains every hand: show its views only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.cards.deck import DEALT_CARDS, deck_for
from engine.cards.hand import FACES, mask_of
from engine.deals.deal import Deal
from engine.matches.ending import winners
from engine.matches.state import MatchState, Reason, Result
from engine.rounds.actions import Action
from engine.rounds.apply import apply as apply_in_round
from engine.rounds.state import RoundState, start_round
from games.core.secrets import Secret
from games.gateway.agreement import Agreement
from games.gateway.documents import ActionMembers, DealDocument
from games.gateway.table import ActionResult, Table, parse_action, parse_cards

# What can follow a round in a match, but not in a position.
_AFTER_THE_ROUND: Final = frozenset({"deal", "match_end"})


class DealtRound(NamedTuple):
    """A round with its deal. The hands may omit J, Q and K, which every seat has."""

    number: int
    dealer: int | None
    leader: int
    deal: Secret[DealDocument]


class SeatAction(NamedTuple):
    """An action and the seat that takes it."""

    seat: int
    action: ActionMembers


def start_dealt_round(agreement: Agreement, dealt: DealtRound) -> RoundState:
    """Return the state of a round after its deal."""
    deal = dealt.deal.reveal()
    return start_round(
        agreement.rules,
        number=dealt.number,
        dealer=dealt.dealer,
        leader=dealt.leader,
        dealt=tuple(mask_of(parse_cards(hand)) for hand in deal["hands"]),
        haggis=mask_of(parse_cards(deal["haggis"])),
    )


def replay_position(
    agreement: Agreement, dealt: DealtRound, actions: Iterable[SeatAction] = (), totals: Sequence[int] = ()
) -> Table:
    """Return the table after a deal and the actions on it; raise `Problem` if one breaks a rule.

    `totals` are the scores of the seats before the round; they are 0 if omitted.
    """
    table = Table(
        MatchState(
            rules=agreement.rules,
            length=agreement.length,
            totals=tuple(totals) or (0,) * agreement.players,
            round=start_dealt_round(agreement, dealt),
        )
    )
    for each in actions:
        table = act_in_position(table, each.seat, parse_action(each.action)).table
    return table


def act_in_position(table: Table, seat: int, action: Action) -> ActionResult:
    """Apply an action; raise `Problem` if it breaks a rule.

    No round follows: once the round has ended the table stays as it is, scored, and has a result. The events
    end with `round_end`.
    """
    acted = table.act(seat, action, lambda _: Deal(((),) * table.state.rules.players, ()))
    if not acted.round_ended:
        return acted
    totals = acted.table.state.totals
    ended = replace(
        acted.table.state,
        round=apply_in_round(table.state.round, seat, action).state,
        result=Result(winners=winners(totals), scores=totals, reason=Reason.ROUNDS),
    )
    events = [event for event in acted.events if event["type"] not in _AFTER_THE_ROUND]
    return replace(acted, table=Table(ended), events=events)


def is_complete_deal(deal: DealDocument) -> bool:
    """Return whether a deal is a possible one: 14 suit cards in each hand, and each card of the deck once.

    J, Q and K do not count, as every seat has its own.
    """
    hands = [mask_of(parse_cards(hand)) & ~FACES for hand in deal["hands"]]
    haggis = mask_of(parse_cards(deal["haggis"]))
    together = haggis
    for hand in hands:
        together |= hand
    return (
        all(hand.bit_count() == DEALT_CARDS for hand in hands)
        and together == mask_of(deck_for(len(hands)))
        and haggis.bit_count() + DEALT_CARDS * len(hands) == together.bit_count()
    )
