"""A whole match on the generated client: bets, a play that is ambiguous, a bomb, the record verified."""

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
SECONDS_BETWEEN_LOOKS: Final = 0.1
Answer = TypeVar("Answer")


def want(kind: type[Answer], answer: object) -> Answer:
    """The answer that is hoped for; a refusal ends it all."""
    if not isinstance(answer, kind):
        raise SystemExit(f"not a {kind.__name__}: {answer}")
    return answer


class Game:
    """One seat at one match."""

    def __init__(self, site: str) -> None:
        entered = want(
            Entered, enter_as_guest.sync(client=Client(site), body=GuestRequest(display_name="Heather"))
        )
        self.client = AuthenticatedClient(site, token=entered.token)
        me, ai = MySeatRequest(MySeatRequestKind.ME), AiSeatRequest(AiSeatRequestKind.AI, Level.EASY)
        body = MatchRequest(RuleSetKey.CLASSIC, seats=[me, ai], rounds=ROUNDS)
        self.table = want(Table, create_match.sync(client=self.client, body=body))
        self.seen: set[str] = set()

    def look(self) -> Table:
        """The table as it is now."""
        self.table = want(Table, read_match.sync(self.table.id, client=self.client))
        return self.table

    def act(self, body: AwardRequest | BetRequest | PassRequest | PlayRequest) -> None:
        """Do it."""
        self.table = want(Moved, act.sync(self.table.id, client=self.client, body=body)).match
        self.seen.add(body.type_)

    def play(self) -> None:
        """Act whenever it is the turn, until the match is over."""
        while self.look().status == "active":
            if self.table.you is None or not self.table.you.to_act:
                time.sleep(SECONDS_BETWEEN_LOOKS)
                continue
            if self.table.you.may_bet:
                self.act(BetRequest(type_=BetRequestType.BET, amount=15, version=self.table.version))
            self.turn(want(LegalMoves, list_legal_moves.sync(self.table.id, client=self.client)))

    def turn(self, legal: LegalMoves) -> None:
        """One turn: a bomb if there was none yet, an ambiguous lead, else the first play that there is."""
        bomb = next(
            (each for each in legal.combinations if each.combination.kind == CombinationKind.BOMB), None
        )
        if legal.must_award:
            self.act(AwardRequest(type_=AwardRequestType.AWARD, to=legal.awards[0], version=legal.version))
        elif "ambiguous" in self.seen and "bomb" not in self.seen and bomb is not None:
            self.lay(bomb.cheapest, legal.version)
            self.seen.add("bomb")
        elif not legal.can_pass and "ambiguous" not in self.seen and self.lead_ambiguously(legal.version):
            self.seen.add("ambiguous")
        elif legal.combinations:
            first = legal.combinations[0]
            named = NamedRequest.from_dict(
                {"kind": first.combination.kind.value, "top": first.combination.top}
                | {"width": first.combination.width, "length": first.combination.length}
            )
            self.lay(first.cheapest, legal.version, named)
        else:
            self.act(PassRequest(type_=PassRequestType.PASS, version=legal.version))

    def lay(self, cards: list[str], version: int, named: NamedRequest | None = None) -> None:
        """Play these cards."""
        meant = UNSET if named is None else named
        self.act(PlayRequest(cards=cards, type_=PlayRequestType.PLAY, version=version, as_=meant))

    def lead_ambiguously(self, version: int) -> bool:
        """Lead a card with J and Q unnamed, see it refused with its readings, and name one of those."""
        hand = self.own_hand()
        suited = [card for card in hand if card not in {"J", "Q", "K"}]
        if not suited or not {"J", "Q"} <= set(hand):
            return False
        cards = [suited[0], "J", "Q"]
        body = PlayRequest(cards=cards, type_=PlayRequestType.PLAY, version=version)
        refused = want(Problem, act.sync(self.table.id, client=self.client, body=body))
        if refused.code != ProblemCode.AMBIGUOUS_COMBINATION or not refused.readings:
            raise SystemExit(f"not ambiguous: {refused}")
        meant = refused.readings[0].combination
        self.lay(
            cards,
            version,
            NamedRequest(kind=meant.kind, top=meant.top, width=meant.width, length=meant.length),
        )
        return True

    def own_hand(self) -> list[str]:
        """The cards of the own seat."""
        if self.table.round_ is None or self.table.you is None:
            raise SystemExit("there is no round")
        return self.table.round_.hands[self.table.you.seat].cards or []

    def verified(self) -> str:
        """What the check of the record says."""
        record = want(Record, read_record.sync(self.table.id, client=self.client))
        body = VerifyRequest(record=VerifyRequestRecord.from_dict(record.to_dict()))
        return want(Right, verify_record.sync(client=self.client, body=body)).deals


def main() -> None:
    """Play, and say what was done on the way."""
    game = Game(sys.argv[1])
    game.play()
    print(f"{game.table.status}: {' '.join(sorted(game.seen))}; deals {game.verified()}")


if __name__ == "__main__":
    main()
