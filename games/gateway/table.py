"""A match in play: the engine's state behind the interface that the service uses."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, assert_never

from engine.cards.card import Card
from engine.cards.hand import cards_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import Kind
from engine.combinations.plays import NO_PLAY
from engine.deals.deal import Deal
from engine.matches.apply import apply
from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.matches.state import MatchState, start_match
from engine.matches.stored import dump, load
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.betting import may_bet
from engine.rounds.events import Out, TrickEnd
from engine.rounds.turn import Expects, expected
from engine.views.round_view import RoundView, view_round
from engine.views.serialization import serialize_cards, serialize_play
from games.core.errors import invalid_field
from games.gateway.agreement import Agreement, Deals
from games.gateway.refusals import translate_refusals

Form = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What an action came to: the table after it, what the log says of it, and what it brought about."""

    table: "Table"
    said: Form
    then: list[Form] = field(default_factory=list)
    round_ended: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """One match at one moment."""

    state: MatchState

    @classmethod
    def start(cls, agreement: Agreement, deals: Deals) -> "Table":
        """The first round, dealt."""
        return cls(
            start_match(
                agreement.rules, agreement.length, first_seat=deals.first_seat(), dealing=deals.dealing()
            )
        )

    @classmethod
    def load(cls, agreement: Agreement, stored: Mapping[str, Any]) -> "Table":
        """The table that was dumped."""
        return cls(load(agreement.rules, agreement.length, dict(stored)))

    def dump(self) -> Form:
        """What to keep of the table between two moves. It holds every hand."""
        return dump(self.state)

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, None when the match is over."""
        return None if self.state.is_over else self.state.round.to_act

    @property
    def expects(self) -> str:
        """What is expected of the seat to act."""
        expects = expected(self.state.round.position)
        return "" if expects is None or self.state.is_over else expects.value

    @property
    def totals(self) -> list[int]:
        """The points of each seat."""
        return list(self.state.totals)

    @property
    def result(self) -> Form | None:
        """How the match ended, if it has been played out."""
        result = self.state.result
        if result is None:
            return None
        return {
            "winners": list(result.winners),
            "scores": list(result.scores),
            "reason": result.reason.value,
        }

    @property
    def round_number(self) -> int:
        """The number of the running round."""
        return self.state.round.number

    @property
    def dealer(self) -> int | None:
        """Who dealt the running round."""
        return self.state.round.dealer

    @property
    def leader(self) -> int:
        """Who led its first trick."""
        return self.state.round.leader

    def standing_trick(self, seat: int) -> str:
        """What a standing order that this seat gives now holds for: round, trick, its own plays in it.

        So a new trick ends the order, and so does the player who plays after all.
        """
        state = self.state.round
        plays = sum(entry.seat == seat and entry.play != NO_PLAY for entry in state.trick)
        return f"{state.number}/{len(state.tricks)}/{plays}"

    @property
    def may_be_passed(self) -> bool:
        """Whether the seat to act may pass."""
        return expected(self.state.round.position) is Expects.PLAY_OR_PASS and not self.state.is_over

    def may_bet(self, seat: int) -> bool:
        """Whether a seat may still bet in this round."""
        return may_bet(self.state.round, seat)

    def view(self, seat: int | None) -> RoundView:
        """The running round as a seat, or a spectator, may see it."""
        return view_round(self.state.round, seat)

    def deal_form(self) -> Form:
        """The deal of the running round: what a round row keeps, and shows when the round has ended."""
        state = self.state.round
        return {"hands": [_codes(hand) for hand in state.dealt], "haggis": _codes(state.haggis)}

    def act(self, seat: int, action: Action, dealing: Callable[[int], Deal]) -> ActionResult:
        """Let a seat act; refused with the clause where the rules do not allow it."""
        with translate_refusals(current=self.state.round.position.current):
            acted = apply(self.state, seat, action, dealing=dealing)
        return ActionResult(
            table=Table(acted.state),
            said=_action_fields(action, acted.play),
            then=[event_to_json(each) for each in acted.events],
            round_ended=_round_ended(acted.state, self.state),
        )


def _round_ended(after: MatchState, before: MatchState) -> bool:
    return after.is_over or after.round.number != before.round.number


def _action_fields(action: Action, play: int) -> Form:
    """What the log says of an action itself."""
    match action:
        case Play():
            return serialize_play(play)
        case Pass():
            return {}
        case Bet():
            return {"amount": action.amount}
        case Award():
            return {"to": action.to}


def _codes(cards: int) -> list[str]:
    return [str(card) for card in cards_of(cards)]


def parse_cards(codes: list[str], *, at: str = "/cards") -> tuple[Card, ...]:
    """The cards named in a body; refused where one is unknown or named twice."""
    cards = []
    for index, code in enumerate(codes):
        with translate_refusals(at=f"{at}/{index}"):
            card = Card.parse(code)
        if card in cards:
            raise invalid_field(f"{at}/{index}", "card_twice", f"The card {code} is named twice.")
        cards.append(card)
    return tuple(cards)


def parse_combination(named: Mapping[str, Any] | None) -> Named:
    """The combination named in a body, whole or in part."""
    if named is None:
        return Named()
    kind = named.get("kind")
    return Named(
        kind=None if kind is None else Kind(kind),
        top=named.get("top"),
        width=named.get("width"),
        length=named.get("length"),
    )


def parse_action(body: Mapping[str, Any]) -> Action:
    """The action of a body whose shape has been checked."""
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


def event_to_json(happening: MatchEvent) -> Form:
    """One thing that happened. The link of a round that ended is added by who holds the chain."""
    match happening:
        case Out():
            return {"type": "out", "seat": happening.seat}
        case TrickEnd():
            return {
                "type": "trick_end",
                "winner": happening.winner,
                "captured_by": happening.captured_by,
            }
        case RoundEnd():
            return _round_end(happening)
        case Dealt():
            return deal_event(happening.number, happening.dealer, happening.leader)
        case MatchEnd():
            result = happening.result
            return match_end(
                {
                    "winners": list(result.winners),
                    "scores": list(result.scores),
                    "reason": result.reason.value,
                }
            )
        case _:
            assert_never(happening)


def _round_end(ended: RoundEnd) -> Form:
    return {
        "type": "round_end",
        "number": ended.number,
        "out": list(ended.out),
        "scores": [asdict(line) for line in ended.scores],
        "totals": list(ended.totals),
        "hands": [serialize_cards(hand) for hand in ended.hands],
        "haggis": serialize_cards(ended.haggis),
        "link": "",
    }


def deal_event(number: int, dealer: int | None, leader: int) -> Form:
    """The next round is dealt."""
    return {"type": "deal", "number": number, "dealer": dealer, "leader": leader}


def match_end(result: Form) -> Form:
    """The match is over."""
    return {"type": "match_end", "result": result}


def abandoned_round_event(table: Table, link: str) -> Form:
    """The end of the running round: its deal and its link are shown, and nothing is scored."""
    return {
        "type": "round_end",
        "number": table.round_number,
        "out": list(table.state.round.position.out),
        "scores": None,
        "totals": table.totals,
        **table.deal_form(),
        "link": link,
    }
