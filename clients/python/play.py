"""A whole match with the generated client: bets, an ambiguous play, a bomb, and the record verified."""

import sys
import time
from typing import Final, TypeVar

from haggis_client import AuthenticatedClient, Client
from haggis_client.api.accounts import enter_as_guest
from haggis_client.api.history import read_record, verify_record
from haggis_client.api.lobby import create_match
from haggis_client.api.table import act, list_legal_moves, read_match
from haggis_client.models import (
    AiSeatRequest,
    AiSeatRequestKind,
    AwardRequest,
    AwardRequestType,
    BetRequest,
    BetRequestType,
    CombinationKind,
    Entered,
    GuestRequest,
    LegalMoves,
    Level,
    MatchRequest,
    Moved,
    MySeatRequest,
    MySeatRequestKind,
    NamedRequest,
    PassRequest,
    PassRequestType,
    PlayRequest,
    PlayRequestType,
    Problem,
    ProblemCode,
    Record,
    Right,
    RuleSetKey,
    Table,
    VerifyRequest,
    VerifyRequestRecord,
)
from haggis_client.types import UNSET

ROUNDS: Final = 10
POLL_SECONDS: Final = 0.1
Expected = TypeVar("Expected")


def expect(kind: type[Expected], response: object) -> Expected:
    """Return the response if it has the expected type; exit otherwise."""
    if not isinstance(response, kind):
        raise SystemExit(f"not a {kind.__name__}: {response}")
    return response


class Game:
    """A seat in a match."""

    def __init__(self, site: str) -> None:
        entered = expect(
            Entered, enter_as_guest.sync(client=Client(site), body=GuestRequest(display_name="Heather"))
        )
        self.client = AuthenticatedClient(site, token=entered.token)
        me, ai = MySeatRequest(MySeatRequestKind.ME), AiSeatRequest(AiSeatRequestKind.AI, Level.EASY)
        body = MatchRequest(RuleSetKey.CLASSIC, seats=[me, ai], rounds=ROUNDS)
        self.table = expect(Table, create_match.sync(client=self.client, body=body))
        self.actions_seen: set[str] = set()

    def refresh(self) -> Table:
        """Reload the table."""
        self.table = expect(Table, read_match.sync(self.table.id, client=self.client))
        return self.table

    def act(self, body: AwardRequest | BetRequest | PassRequest | PlayRequest) -> None:
        """Send an action."""
        self.table = expect(Moved, act.sync(self.table.id, client=self.client, body=body)).match
        self.actions_seen.add(body.type_)

    def play(self) -> None:
        """Act on every turn until the match is over."""
        while self.refresh().status == "active":
            if self.table.you is None or not self.table.you.to_act:
                time.sleep(POLL_SECONDS)
                continue
            if self.table.you.may_bet:
                self.act(BetRequest(type_=BetRequestType.BET, amount=15, version=self.table.version))
            self.take_turn(expect(LegalMoves, list_legal_moves.sync(self.table.id, client=self.client)))

    def take_turn(self, legal: LegalMoves) -> None:
        """Take one turn: lead an ambiguous play once, then a bomb once, else make the first legal play."""
        bomb = next(
            (each for each in legal.combinations if each.combination.kind == CombinationKind.BOMB), None
        )
        if legal.must_award:
            self.act(AwardRequest(type_=AwardRequestType.AWARD, to=legal.awards[0], version=legal.version))
        elif "ambiguous" in self.actions_seen and "bomb" not in self.actions_seen and bomb is not None:
            self.play_cards(bomb.cheapest, legal.version)
            self.actions_seen.add("bomb")
        elif (
            not legal.can_pass
            and "ambiguous" not in self.actions_seen
            and self.lead_ambiguously(legal.version)
        ):
            self.actions_seen.add("ambiguous")
        elif legal.combinations:
            first = legal.combinations[0]
            named = NamedRequest.from_dict(
                {"kind": first.combination.kind.value, "top": first.combination.top}
                | {"width": first.combination.width, "length": first.combination.length}
            )
            self.play_cards(first.cheapest, legal.version, named)
        else:
            self.act(PassRequest(type_=PassRequestType.PASS, version=legal.version))

    def play_cards(self, cards: list[str], version: int, named: NamedRequest | None = None) -> None:
        """Play these cards."""
        reading = UNSET if named is None else named
        self.act(PlayRequest(cards=cards, type_=PlayRequestType.PLAY, version=version, as_=reading))

    def lead_ambiguously(self, version: int) -> bool:
        """Lead a card with J and Q without a combination; name one of the readings of the rejection."""
        hand = self.hand()
        suited = [card for card in hand if card not in {"J", "Q", "K"}]
        if not suited or not {"J", "Q"} <= set(hand):
            return False
        cards = [suited[0], "J", "Q"]
        body = PlayRequest(cards=cards, type_=PlayRequestType.PLAY, version=version)
        refused = expect(Problem, act.sync(self.table.id, client=self.client, body=body))
        if refused.code != ProblemCode.AMBIGUOUS_COMBINATION or not refused.readings:
            raise SystemExit(f"not ambiguous: {refused}")
        reading = refused.readings[0].combination
        self.play_cards(
            cards,
            version,
            NamedRequest(kind=reading.kind, top=reading.top, width=reading.width, length=reading.length),
        )
        return True

    def hand(self) -> list[str]:
        """Return the cards of the player."""
        if self.table.round_ is None or self.table.you is None:
            raise SystemExit("there is no round")
        return self.table.round_.hands[self.table.you.seat].cards or []

    def verify(self) -> str:
        """Verify the record; return what it says about the deals."""
        record = expect(Record, read_record.sync(self.table.id, client=self.client))
        body = VerifyRequest(record=VerifyRequestRecord.from_dict(record.to_dict()))
        return expect(Right, verify_record.sync(client=self.client, body=body)).deals


def main() -> None:
    """Play a match and print what happened."""
    game = Game(sys.argv[1])
    game.play()
    print(f"{game.table.status}: {' '.join(sorted(game.actions_seen))}; deals {game.verify()}")


if __name__ == "__main__":
    main()
