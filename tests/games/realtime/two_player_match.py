"""A match of two players whose events are streamed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from knox.crypto import hash_token

from games.accounts.services.credentials import NewTicket, issue_ticket
from games.identity.models import TokenRow
from games.identity.services import revoke_token
from games.matches.models.log import Move
from games.matches.store import find_token
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match
from tests.support.streams import StreamService
from tests.support.table import Table


class TwoPlayerMatch:
    """A match of two players and their clients."""

    def __init__(self, **options: Any) -> None:
        self.players = make_player(), make_player()
        self.match = start_match(*self.players, **options)
        self.table = Table.of(self.match)
        self.seated = [self.table[player.username] for player in self.players]
        self.path = f"matches/{self.match.pk}/events"

    @property
    def token(self) -> str:
        return self.seated[0].token

    async def play(self, service: StreamService, times: int = 1) -> None:
        for _ in range(times):
            await service.run_in_pool(self.table.take_turn)

    def log(self, after: int = 0) -> list[Any]:
        moves = Move.objects.filter(match=self.match, version__gt=after).order_by("version")
        return list(moves.values_list("entry", flat=True))


def token_of(player: HttpPlayer) -> TokenRow:
    found = find_token(hash_token(player.token))
    assert found is not None
    return found


def issue_ticket_for(player: HttpPlayer) -> NewTicket:
    return issue_ticket(token=token_of(player))


def revoke(two: TwoPlayerMatch) -> None:
    """Revoke the token of the first player."""
    revoke_token(token=token_of(two.seated[0]))


@contextmanager
def messages_lost(service: StreamService) -> Iterator[None]:
    """Lose all messages about changes during the block, as while Redis is down."""
    service.front.hub.topics.match_changed = lambda *_: None  # type: ignore[method-assign]
    yield
    del service.front.hub.topics.match_changed
