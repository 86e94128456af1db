"""One seat at one match, by the generated client: all that the terminal asks of the service."""

from dataclasses import dataclass
from typing import TypeVar

from haggis_client import AuthenticatedClient, Client
from haggis_client import models as m
from haggis_client.api.accounts import enter_as_guest
from haggis_client.api.lobby import create_match
from haggis_client.api.table import act, check_cards, list_legal_moves, read_match

Answer = TypeVar("Answer")


class Refused(Exception):
    """The service said no; its sentence is for the player."""


@dataclass
class Seat:
    """What a player knows of a match."""

    client: AuthenticatedClient
    table: m.Table

    @classmethod
    def take(cls, site: str, *, level: str = "easy", rounds: int = 3) -> "Seat":
        """Sit down as a guest, against an AI."""
        guest = wanted(m.Entered, enter_as_guest.sync(client=Client(site), body=m.GuestRequest()))
        client = AuthenticatedClient(site, token=guest.token)
        me, ai = (
            m.MySeatRequest(m.MySeatRequestKind.ME),
            m.AiSeatRequest(m.AiSeatRequestKind.AI, m.Level(level)),
        )
        body = m.MatchRequest(m.RuleSetKey.CLASSIC, seats=[me, ai], rounds=rounds)
        return cls(client, wanted(m.Table, create_match.sync(client=client, body=body)))

    @property
    def number(self) -> int:
        """Where one sits."""
        seat: int = self.table.you.seat if self.table.you is not None else 0
        return seat

    @property
    def my_turn(self) -> bool:
        """Whether it is one's turn."""
        mine: bool = self.table.you is not None and self.table.you.to_act
        return mine

    @property
    def hand(self) -> list[str]:
        """One's cards."""
        if self.table.round_ is None:
            return []
        held: list[str] = self.table.round_.hands[self.number].cards or []
        return held

    def look(self) -> bool:
        """Look at the table again; whether anything has happened."""
        before = self.table.version
        self.table = wanted(m.Table, read_match.sync(self.table.id, client=self.client))
        changed: bool = self.table.version != before
        return changed

    def readings(self, cards: list[str]) -> list[m.Reading]:
        """What these cards could be played as."""
        body = m.CardsRequest(cards=cards)
        checked = wanted(m.Checked, check_cards.sync(self.table.id, client=self.client, body=body))
        found: list[m.Reading] = checked.readings
        return found

    def hints(self) -> list[m.LegalGroup]:
        """What may be played, fewest wild cards first."""
        legal = wanted(m.LegalMoves, list_legal_moves.sync(self.table.id, client=self.client))
        groups: list[m.LegalGroup] = legal.combinations
        return groups

    def play(self, cards: list[str], meant: m.Combination) -> None:
        """Play cards as this."""
        named = m.NamedRequest(kind=meant.kind, top=meant.top, width=meant.width, length=meant.length)
        kind, version = m.PlayRequestType.PLAY, self.table.version
        self._act(m.PlayRequest(type_=kind, version=version, cards=cards, as_=named))

    def pass_(self) -> None:
        """Let the current play stand."""
        self._act(m.PassRequest(type_=m.PassRequestType.PASS, version=self.table.version))

    def bet(self, amount: int) -> None:
        """Bet so many points."""
        self._act(m.BetRequest(type_=m.BetRequestType.BET, version=self.table.version, amount=amount))

    def _act(self, body: m.PlayRequest | m.PassRequest | m.BetRequest) -> None:
        moved = wanted(m.Moved, act.sync(self.table.id, client=self.client, body=body))
        self.table = moved.match


def wanted(kind: type[Answer], answer: object) -> Answer:
    """The answer that was hoped for."""
    if isinstance(answer, kind):
        return answer
    raise Refused(answer.detail if isinstance(answer, m.Problem) else "The service does not answer.")
