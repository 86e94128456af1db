"""A match in play, the interface of the service to the state of the engine."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never, cast

from engine.cards.card import Card
from engine.cards.hand import cards_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import Kind
from engine.combinations.plays import NO_PLAY
from engine.deals.deal import Deal
from engine.errors import Malformed, Refused
from engine.matches.apply import apply
from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.matches.state import MatchState, Result, start_match
from engine.matches.stored import dump, load
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.betting import may_bet
from engine.rounds.events import Out, TrickEnd
from engine.rounds.turn import Expects, expected
from engine.scoring.sheet import serialize_score
from engine.views.round_view import RoundView, view_round
from engine.views.serialization import serialize_cards, serialize_play
from games.core.errors import invalid_field
from games.core.languages import message
from games.gateway.agreement import Agreement, Deals
from games.gateway.documents import (
    ActionMembers,
    CombinationJson,
    DealDocument,
    DealEvent,
    EntryEvent,
    EntryFields,
    LogEntry,
    MatchEndEvent,
    NamedCombination,
    ResultDocument,
    RoundEndEvent,
    SnapshotDocument,
)
from games.gateway.refusals import as_problem


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of an action: the table after it, its fields in the log, and the events it caused."""

    table: "Table"
    action_fields: EntryFields
    events: list[EntryEvent] = field(default_factory=list)
    round_ended: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """An immutable state of a match. It contains every hand."""

    state: MatchState

    @classmethod
    def start(cls, agreement: Agreement, deals: Deals) -> "Table":
        """Deal the first round."""
        return cls(
            start_match(
                agreement.rules,
                agreement.length,
                first_seat=deals.first_seat(),
                dealing=deals.deal_function(),
            )
        )

    @classmethod
    def load(cls, agreement: Agreement, stored: SnapshotDocument) -> "Table":
        """Load a table from the output of `dump`."""
        return cls(load(agreement.rules, agreement.length, stored))

    def dump(self) -> SnapshotDocument:
        """Serialize the table for the snapshot. The result contains every hand and must stay secret."""
        return dump(self.state)

    @property
    def to_act(self) -> int | None:
        """The seat to act, or `None` if the match is over."""
        return None if self.state.is_over else self.state.round.to_act

    @property
    def expects(self) -> str:
        """The kind of action expected from the seat to act."""
        expects = expected(self.state.round.position)
        return "" if expects is None or self.state.is_over else expects.value

    @property
    def totals(self) -> list[int]:
        """The total score of each seat."""
        return list(self.state.totals)

    @property
    def result(self) -> ResultDocument | None:
        """The result of the match, or `None` if it has not been played to its end."""
        return None if self.state.result is None else _result_to_json(self.state.result)

    @property
    def round_number(self) -> int:
        """The number of the current round."""
        return self.state.round.number

    @property
    def dealer(self) -> int | None:
        """The seat that dealt the current round, if any."""
        return self.state.round.dealer

    @property
    def leader(self) -> int:
        """The seat that led the first trick of the current round."""
        return self.state.round.leader

    def trick_key(self, seat: int) -> str:
        """Return the key of a standing order of this seat: round, trick, and its own plays in the trick.

        The key changes, which ends the order, with a new trick and when the player plays nevertheless.
        """
        state = self.state.round
        plays = sum(entry.seat == seat and entry.play != NO_PLAY for entry in state.trick)
        return f"{state.number}/{len(state.tricks)}/{plays}"

    @property
    def can_pass(self) -> bool:
        """Whether the seat to act may pass."""
        return expected(self.state.round.position) is Expects.PLAY_OR_PASS and not self.state.is_over

    def can_bet(self, seat: int) -> bool:
        """Whether a seat may still bet in this round."""
        return may_bet(self.state.round, seat)

    def view(self, seat: int | None) -> RoundView:
        """Return the current round as a seat, or a spectator, may see it."""
        return view_round(self.state.round, seat)

    def deal_to_json(self) -> DealDocument:
        """Return the deal of the current round, which is secret until the round has ended."""
        state = self.state.round
        return {"hands": [_codes(hand) for hand in state.dealt], "haggis": _codes(state.haggis)}

    def act(self, seat: int, action: Action, dealing: Callable[[int], Deal]) -> ActionResult:
        """Apply an action; raise `Problem` with the clause of the rules if it is not allowed."""
        try:
            applied = apply(self.state, seat, action, dealing=dealing)
        except (Refused, Malformed) as error:
            raise as_problem(error, current=self.state.round.position.current) from error
        return ActionResult(
            table=Table(applied.state),
            action_fields=_action_fields(action, applied.play),
            events=[event_to_json(each) for each in applied.events],
            round_ended=_round_ended(applied.state, self.state),
        )


def _round_ended(after: MatchState, before: MatchState) -> bool:
    return after.is_over or after.round.number != before.round.number


def _action_fields(action: Action, play: int) -> EntryFields:
    """Return the fields of a log entry that describe the action."""
    match action:
        case Play():
            return cast("EntryFields", serialize_play(play))  # adds nothing to a PlayJson
        case Pass():
            return {}
        case Bet():
            return {"amount": action.amount}
        case Award():
            return {"to": action.to}


def _codes(cards: int) -> list[str]:
    return [str(card) for card in cards_of(cards)]


def parse_cards(codes: list[str], *, at: str = "/cards") -> tuple[Card, ...]:
    """Parse the cards of a request body; raise `Problem` if one is unknown or duplicate."""
    cards = []
    for index, code in enumerate(codes):
        try:
            card = Card.parse(code)
        except Malformed as error:
            raise as_problem(error, at=f"{at}/{index}") from error
        if card in cards:
            raise invalid_field(
                f"{at}/{index}", "card_twice", message("The card {code} is named twice.", code=code)
            )
        cards.append(card)
    return tuple(cards)


def parse_combination(named: NamedCombination | CombinationJson | None) -> Named:
    """Parse the combination of a request body, which may be partial."""
    if named is None:
        return Named()
    kind = named.get("kind")
    return Named(
        kind=None if kind is None else Kind(kind),
        top=named.get("top"),
        width=named.get("width"),
        length=named.get("length"),
    )


def parse_action(body: ActionMembers) -> Action:
    """Parse an action that has been validated."""
    match body["type"]:
        case "play":
            return Play(parse_cards(body["cards"]), parse_combination(body.get("as")))
        case "pass":
            return Pass()
        case "bet":
            return Bet(body["amount"])
        case _:
            return Award(body["to"])


KINDS = tuple(kind.value for kind in Kind)


def logged_action(entry: LogEntry) -> Action:
    """Return the action of a log entry."""
    match entry["type"]:
        case "play":
            return Play(parse_cards(entry["cards"] or []), parse_combination(entry["combination"]))
        case "pass":
            return Pass()
        case "bet":
            return Bet(entry["amount"] or 0)
        case _:
            return Award(-1 if entry["to"] is None else entry["to"])


def acting_seat(entry: LogEntry) -> int:
    """Return the seat of a log entry; raise `ValueError` if it has none, as it concerns the whole match."""
    if entry["seat"] is None:
        raise ValueError("This entry has no seat.")
    return entry["seat"]


def event_to_json(event: MatchEvent) -> EntryEvent:
    """Convert an event of the engine to JSON. The caller adds the link of an ended round."""
    match event:
        case Out():
            return {"type": "out", "seat": event.seat}
        case TrickEnd():
            return {
                "type": "trick_end",
                "winner": event.winner,
                "captured_by": event.captured_by,
            }
        case RoundEnd():
            return _round_end(event)
        case Dealt():
            return deal_event(event.number, event.dealer, event.leader)
        case MatchEnd():
            return match_end(_result_to_json(event.result))
        case _:
            assert_never(event)


def _result_to_json(result: Result) -> ResultDocument:
    return {
        "winners": list(result.winners),
        "scores": list(result.scores),
        "reason": result.reason.value,
    }


def _round_end(ended: RoundEnd) -> RoundEndEvent:
    return {
        "type": "round_end",
        "number": ended.number,
        "out": list(ended.out),
        "scores": [serialize_score(line) for line in ended.scores],
        "totals": list(ended.totals),
        "hands": [serialize_cards(hand) for hand in ended.hands],
        "haggis": serialize_cards(ended.haggis),
        "link": "",
    }


def deal_event(number: int, dealer: int | None, leader: int) -> DealEvent:
    """Return the event of a deal."""
    return {"type": "deal", "number": number, "dealer": dealer, "leader": leader}


def match_end(result: ResultDocument) -> MatchEndEvent:
    """Return the event of the end of a match."""
    return {"type": "match_end", "result": result}


def abandoned_round_event(table: Table, link: str) -> RoundEndEvent:
    """Return the event of a round that ends without scores; it reveals the deal and the link."""
    return {
        "type": "round_end",
        "number": table.round_number,
        "out": list(table.state.round.position.out),
        "scores": None,
        "totals": table.totals,
        **table.deal_to_json(),
        "link": link,
    }
