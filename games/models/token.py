"""What a client or a bot shows instead of a password. Only its hash is kept."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from django.db import models
from knox.models import AbstractAuthToken

from games.models.player import Player

LONGEST_TOKEN_NAME: Final = 60


class Scope(StrEnum):
    """How far a token reaches."""

    MATCHES_READ = "matches:read"
    MATCHES_PLAY = "matches:play"
    ACCOUNT_WRITE = "account:write"
    BOT_PLAY = "bot:play"
    WEBHOOKS_WRITE = "webhooks:write"


# A person's token never plays as a bot, and a bot's token never changes an account.
HUMAN_SCOPES: Final = frozenset(Scope) - {Scope.BOT_PLAY}
BOT_SCOPES: Final = frozenset({Scope.MATCHES_READ, Scope.BOT_PLAY, Scope.WEBHOOKS_WRITE})


def new_token_id() -> str:
    """An id that tells nothing of the token."""
    return f"t_{secrets.token_hex(8)}"


class TokenRow(NamedTuple):
    """What authenticates a request: a token, as far as requests need it, and its player."""

    digest: str
    scopes: str
    expiry: datetime | None
    sliding: timedelta | None
    player: Player

    @property
    def reach(self) -> frozenset[Scope]:
        """Its scopes as a set."""
        return _read(self.scopes)


class ApiToken(AbstractAuthToken):
    """A token of a player. `token_key` is its beginning, by which its owner knows it again.

    With `sliding` the end moves on as the token is used; without, it ends when it ends.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_token_id, editable=False)
    name = models.CharField(max_length=LONGEST_TOKEN_NAME, blank=True, default="")
    scopes = models.CharField(max_length=120)
    sliding = models.DurationField(null=True, blank=True)

    class Meta:
        """The table of our own that stands in for knox's."""

        verbose_name = "token"
        verbose_name_plural = "tokens"
        indexes: ClassVar = [models.Index(fields=["user", "-created"], name="token_of_player")]

    def __str__(self) -> str:
        """Name it without anything that could be used."""
        return f"{self.public_id} of player {self.user_id}"

    def row(self) -> TokenRow:
        """Return what requests need of it."""
        return TokenRow(self.digest, self.scopes, self.expiry, self.sliding, self.user)


@lru_cache(1_000)  # tokens are of a handful of kinds
def _read(scopes: str) -> frozenset[Scope]:
    return frozenset(Scope(scope) for scope in scopes.split())


def written(scopes: Iterable[Scope]) -> str:
    """The scopes as they are stored, in the order of the contract.

    >>> written({Scope.MATCHES_PLAY, Scope.MATCHES_READ})
    'matches:read matches:play'
    """
    given = set(scopes)
    return " ".join(scope for scope in Scope if scope in given)
