"""A seat in a match: all requests that the terminal app makes."""

from dataclasses import dataclass
from typing import TypeVar

from haggis_client import AuthenticatedClient, Client
from haggis_client import models as m
from haggis_client.api.accounts import enter_as_guest
from haggis_client.api.lobby import create_match
from haggis_client.api.table import act, check_cards, list_legal_moves, read_match

Answer = TypeVar("Answer")


class Refused(Exception):
    """Raised if the service rejects a request; the message is for the player."""


@dataclass
class Seat:
    """A match from the point of view of one player."""

    client: AuthenticatedClient
    table: m.Table

    @classmethod
    def take(cls, site: str, *, level: str = "easy", rounds: int = 3) -> "Seat":
        """Sign in as a guest and create a match against an AI."""
        guest = expect(m.Entered, enter_as_guest.sync(client=Client(site), body=m.GuestRequest()))
        client = AuthenticatedClient(site, token=guest.token)
        me, ai = (
            m.MySeatRequest(m.MySeatRequestKind.ME),
            m.AiSeatRequest(m.AiSeatRequestKind.AI, m.Level(level)),
        )
        body = m.MatchRequest(m.RuleSetKey.CLASSIC, seats=[me, ai], rounds=rounds)
        return cls(client, expect(m.Table, create_match.sync(client=client, body=body)))

    @property
    def number(self) -> int:
        """The seat of the player."""
        seat: int = self.table.you.seat if self.table.you is not None else 0
        return seat

    @property
    def my_turn(self) -> bool:
        """Whether it is the player's turn."""
        to_act: bool = self.table.you is not None and self.table.you.to_act
        return to_act

    @property
    def hand(self) -> list[str]:
        """The cards of the player."""
        if self.table.round_ is None:
            return []
        cards: list[str] = self.table.round_.hands[self.number].cards or []
        return cards

    def refresh(self) -> bool:
        """Reload the table; return whether anything has changed."""
        before = self.table.version
        self.table = expect(m.Table, read_match.sync(self.table.id, client=self.client))
        changed: bool = self.table.version != before
        return changed

    def readings(self, cards: list[str]) -> list[m.Reading]:
        """Return the combinations that these cards can be played as."""
        body = m.CardsRequest(cards=cards)
        checked = expect(m.Checked, check_cards.sync(self.table.id, client=self.client, body=body))
        readings: list[m.Reading] = checked.readings
        return readings

    def hints(self) -> list[m.LegalGroup]:
        """Return the legal plays, fewest wild cards first."""
        legal = expect(m.LegalMoves, list_legal_moves.sync(self.table.id, client=self.client))
        groups: list[m.LegalGroup] = legal.combinations
        return groups

    def play(self, cards: list[str], combination: m.Combination) -> None:
        """Play cards as this combination."""
        named = m.NamedRequest(
            kind=combination.kind, top=combination.top, width=combination.width, length=combination.length
        )
        kind, version = m.PlayRequestType.PLAY, self.table.version
        self._act(m.PlayRequest(type_=kind, version=version, cards=cards, as_=named))

    def pass_(self) -> None:
        """Pass."""
        self._act(m.PassRequest(type_=m.PassRequestType.PASS, version=self.table.version))

    def bet(self, amount: int) -> None:
        """Bet this many points."""
        self._act(m.BetRequest(type_=m.BetRequestType.BET, version=self.table.version, amount=amount))

    def _act(self, body: m.PlayRequest | m.PassRequest | m.BetRequest) -> None:
        moved = expect(m.Moved, act.sync(self.table.id, client=self.client, body=body))
        self.table = moved.match


def expect(kind: type[Answer], answer: object) -> Answer:
    """Return the response if it has the expected type; raise `Refused` otherwise."""
    if isinstance(answer, kind):
        return answer
    raise Refused(answer.detail if isinstance(answer, m.Problem) else "The service did not respond.")
