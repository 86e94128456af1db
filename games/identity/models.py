"""Players and their API tokens."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from knox.models import AbstractAuthToken

MAX_USERNAME_LENGTH: Final = 30
MAX_DISPLAY_NAME_LENGTH: Final = 50

# ASCII alone, so that no two names look the same; no colon, so that nobody is called like an AI (`ai:hard`).
USERNAME_PATTERN: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{2,29}"


class PlayerKind(models.TextChoices):
    """What stands behind an account."""

    HUMAN = "human"
    GUEST = "guest"
    BOT = "bot"


class Player(AbstractUser):
    """An account that can hold a seat: a person, a guest who has not registered, or somebody's program.

    A deleted account stays as a row without a trace of its owner: the history of its matches survives.

    A vacation lasts from `vacation_since` to `vacation_until`; `vacation_days` are those of `vacation_year`
    that are spent or booked.
    """

    username = models.CharField(
        max_length=MAX_USERNAME_LENGTH,
        unique=True,
        validators=[RegexValidator(rf"\A{USERNAME_PATTERN}\Z", "3 to 30 letters, digits, - or _.")],
        error_messages={"unique": "The name is taken."},
    )
    kind = models.CharField(max_length=5, choices=PlayerKind, default=PlayerKind.HUMAN)
    display_name = models.CharField(max_length=MAX_DISPLAY_NAME_LENGTH, blank=True, default="")
    email_confirmed = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=64, default="UTC")
    notifications: "models.JSONField[Any, Any]" = models.JSONField(blank=True, default=dict)
    owner = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="bots")
    vacation_since = models.DateTimeField(null=True, blank=True)
    vacation_until = models.DateTimeField(null=True, blank=True)
    vacation_year = models.PositiveSmallIntegerField(default=0, db_default=0)
    vacation_days = models.PositiveSmallIntegerField(default=0, db_default=0)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta(AbstractUser.Meta):
        """The database itself refuses unknown kinds, names that differ in case alone, and owned people."""

        verbose_name = "player"
        verbose_name_plural = "players"
        constraints: ClassVar = [
            models.CheckConstraint(
                name="player_kind_is_known", condition=models.Q(kind__in=PlayerKind.values)
            ),
            models.UniqueConstraint(Lower("username"), name="player_username_once_in_any_case"),
            models.CheckConstraint(
                name="player_owner_is_of_a_bot",
                condition=models.Q(owner__isnull=True) | models.Q(kind=PlayerKind.BOT),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                Lower("email"),
                name="player_by_confirmed_email",
                condition=models.Q(email_confirmed=True),
            ),
            models.Index(
                name="player_on_vacation",
                fields=["vacation_until"],
                condition=models.Q(vacation_until__isnull=False),
            ),
        ]


MAX_TOKEN_NAME_LENGTH: Final = 60


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
        return _parse_scopes(self.scopes)


class ApiToken(AbstractAuthToken):
    """A token of a player. `token_key` is its beginning, by which its owner knows it again.

    With `sliding` the end moves on as the token is used; without, it ends when it ends.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_token_id, editable=False)
    name = models.CharField(max_length=MAX_TOKEN_NAME_LENGTH, blank=True, default="")
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
def _parse_scopes(scopes: str) -> frozenset[Scope]:
    return frozenset(Scope(scope) for scope in scopes.split())


def format_scopes(scopes: Iterable[Scope]) -> str:
    """The scopes as they are stored, in the order of the contract.

    >>> written({Scope.MATCHES_PLAY, Scope.MATCHES_READ})
    'matches:read matches:play'
    """
    given = set(scopes)
    return " ".join(scope for scope in Scope if scope in given)
