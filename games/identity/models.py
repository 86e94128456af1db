"""Players, the messages of operators to them, and their API tokens."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Func
from django.db.models.functions import Lower
from django.utils import timezone
from knox.models import AbstractAuthToken

from games.core.languages import CODE_LENGTH

MAX_USERNAME_LENGTH: Final = 30
MAX_DISPLAY_NAME_LENGTH: Final = 50

# ASCII only, so that no two names look the same; no colon, because AI seats are named like `ai:hard`.
USERNAME_PATTERN: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{2,29}"


# What is replaced to compare how names look. The index on usernames contains the same replacements.
_LOOK_ALIKES: Final = (("-", ""), ("_", ""), ("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"))


def username_skeleton(username: str) -> str:
    """Return what a username looks like, the same for names that are easily confused.

    >>> username_skeleton("corn-Wi11") == username_skeleton("com_will")
    True
    """
    skeleton = username.lower()
    for part, replacement in _LOOK_ALIKES:
        skeleton = skeleton.replace(part, replacement)
    return skeleton


def username_skeleton_expression() -> Func:
    """Return the same as `username_skeleton` as an expression for the database.

    The replacements are literals, because the index does not serve an expression with parameters.
    """
    skeleton: Func = Lower("username")
    for part, replacement in _LOOK_ALIKES:
        template = f"REPLACE(%(expressions)s, '{part}', '{replacement}')"
        skeleton = Func(skeleton, template=template, output_field=models.CharField())
    return skeleton


class PlayerKind(models.TextChoices):
    """The kind of an account."""

    HUMAN = "human"
    GUEST = "guest"
    BOT = "bot"


class Closing(models.TextChoices):
    """The ban or deletion of an account that has begun: its matches have yet to be left."""

    NONE = ""
    BAN = "ban"
    DELETION = "deletion"


DELETED_PREFIX: Final = "deleted-"
# Players in the directory. Guests come and go, and are not listed.
LISTED_KINDS: Final = (PlayerKind.HUMAN, PlayerKind.BOT)
LISTED: Final = models.Q(is_active=True, kind__in=[kind.value for kind in LISTED_KINDS])


class Player(AbstractUser):
    """An account that can take a seat: a registered human, a guest, or a bot.

    A deleted account remains as an anonymized row, so that the history of its matches is preserved. A ban or
    a deletion deactivates the account and sets `closing` (`games.identity.services.close_account`), which is
    reset once all matches of the account are left.

    Until `suspended_until` an account cannot do anything; a suspension ends without any further action.
    `own_suspension_until` is the end of the suspension of the account itself. The suspension of an owner
    includes the bots, so `suspended_until` of a bot is the later of both ends.

    A vacation lasts from `vacation_since` to `vacation_until`; `vacation_days` is the number of days used or
    booked in `vacation_year`.
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
    # Of mails and push messages; empty means English, and that the player has not chosen one.
    language = models.CharField(max_length=CODE_LENGTH, blank=True, default="", db_default="")
    notifications: "models.JSONField[Any, Any]" = models.JSONField(blank=True, default=dict)
    owner = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="bots")
    vacation_since = models.DateTimeField(null=True, blank=True)
    vacation_until = models.DateTimeField(null=True, blank=True)
    vacation_year = models.PositiveSmallIntegerField(default=0, db_default=0)
    vacation_days = models.PositiveSmallIntegerField(default=0, db_default=0)
    deleted_at = models.DateTimeField(null=True, blank=True)
    closing = models.CharField(max_length=8, choices=Closing, blank=True, default="", db_default="")
    suspended_until = models.DateTimeField(null=True, blank=True)
    own_suspension_until = models.DateTimeField(null=True, blank=True)
    # Whether others see that the player has an open stream.
    show_online = models.BooleanField(default=True, db_default=True)

    class Meta(AbstractUser.Meta):
        """Constraints: known kinds, names unique in any case, owners only for bots, deleted means no data."""

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
            models.CheckConstraint(
                name="player_closing_is_inactive",
                condition=models.Q(closing=Closing.NONE)
                | models.Q(closing__in=(Closing.BAN, Closing.DELETION), is_active=False),
            ),
            models.CheckConstraint(
                name="player_deleted_has_no_data",
                condition=models.Q(deleted_at=None)
                | models.Q(
                    username__startswith=DELETED_PREFIX,
                    password__startswith=UNUSABLE_PASSWORD_PREFIX,
                    first_name="",
                    last_name="",
                    display_name="",
                    email="",
                    email_confirmed=False,
                    is_active=False,
                    is_staff=False,
                    is_superuser=False,
                    last_login=None,
                    owner=None,
                ),
            ),
        ]
        indexes: ClassVar = [
            models.Index(username_skeleton_expression(), name="player_by_username_skeleton"),
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
            models.Index(
                name="player_being_closed", fields=["id"], condition=~models.Q(closing=Closing.NONE)
            ),
            models.Index(
                name="player_suspended",
                fields=["suspended_until"],
                condition=models.Q(suspended_until__isnull=False),
            ),
            models.Index(
                Lower("display_name"),
                name="player_by_display_name",
                condition=~models.Q(display_name=""),
            ),
            # PostgreSQL also has `player_by_start_of_name` and `player_by_start_of_display_name`.
            models.Index(name="player_listed", fields=["id"], condition=LISTED),
            models.Index(name="player_listed_by_kind", fields=["kind", "id"], condition=LISTED),
        ]

    @property
    def is_suspended(self) -> bool:
        """Whether a suspension of the account has not ended yet."""
        return self.suspended_until is not None and self.suspended_until > timezone.now()


class Opponents(models.TextChoices):
    """Against whom a bot plays. Guests are people."""

    HUMAN = "human"
    BOT = "bot"
    ANY = "any"


MAX_AT_ONCE: Final = 500


class ChallengePolicy(models.Model):
    """Which invitations a bot accepts, as its owner has declared; without this row any can be sent.

    No rule sets means all of them. `at_once` also limits the matches that the bot joins or creates.
    """

    bot = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="challenge_policy",
    )
    rulesets: "models.JSONField[Any, Any]" = models.JSONField(default=list)
    players: "models.JSONField[Any, Any]" = models.JSONField(default=list)
    min_turn_seconds = models.PositiveIntegerField(null=True)
    max_turn_seconds = models.PositiveIntegerField(null=True)
    without_clock = models.BooleanField(default=True)
    opponents = models.CharField(max_length=5, choices=Opponents, default=Opponents.ANY)
    rated = models.BooleanField(default=False)
    at_once = models.PositiveSmallIntegerField()
    auto_accept = models.BooleanField(default=False)

    class Meta:
        """Constraints: known opponents, at least one match at once, clocks from a shorter to a longer one."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="challenge_policy_opponents_known", condition=models.Q(opponents__in=Opponents.values)
            ),
            models.CheckConstraint(
                name="challenge_policy_at_once_in_range",
                condition=models.Q(at_once__gte=1, at_once__lte=MAX_AT_ONCE),
            ),
            models.CheckConstraint(
                name="challenge_policy_clock_in_order",
                condition=models.Q(min_turn_seconds=None)
                | models.Q(max_turn_seconds=None)
                | models.Q(min_turn_seconds__lte=models.F("max_turn_seconds")),
            ),
        ]

    def __str__(self) -> str:
        """Return the id of the bot."""
        return f"of bot {self.bot_id}"


MAX_NOTICE_LENGTH: Final = 500


def new_account_notice_id() -> str:
    """Return a random public id."""
    return f"an_{secrets.token_hex(8)}"


class AccountNoticeKind(models.TextChoices):
    """What the operators notify a player of."""

    WARNING = "warning"
    RENAMED = "renamed"
    SUSPENSION = "suspension"


class AccountNotice(models.Model):
    """A message of the operators to a player, shown until the player has acknowledged it."""

    public_id = models.CharField(max_length=20, unique=True, default=new_account_notice_id, editable=False)
    # The index `account_notice_of_player` covers this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="account_notices", db_index=False
    )
    kind = models.CharField(max_length=10, choices=AccountNoticeKind)
    text = models.CharField(max_length=MAX_NOTICE_LENGTH)
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        """Constraints: known kinds, and suspensions have an end. Old notices are deleted by age."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="account_notice_kind_is_known", condition=models.Q(kind__in=AccountNoticeKind.values)
            ),
            models.CheckConstraint(
                name="account_notice_of_suspension_has_end",
                condition=~models.Q(kind=AccountNoticeKind.SUSPENSION) | models.Q(until__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="account_notice_of_player", fields=["player", "-id"]),
            models.Index(name="account_notice_by_age", fields=["acknowledged_at"]),
        ]

    def __str__(self) -> str:
        """Return the kind and the player."""
        return f"{self.kind} for player {self.player_id}"


MAX_TOKEN_NAME_LENGTH: Final = 60
MAX_USER_AGENT_LENGTH: Final = 200
# A token is renewed at most this often, so that most requests do not write.
MIN_RENEWAL_INTERVAL: Final = timedelta(hours=1)


class Scope(StrEnum):
    """A scope of a token."""

    MATCHES_READ = "matches:read"
    MATCHES_PLAY = "matches:play"
    ACCOUNT_WRITE = "account:write"
    BOT_PLAY = "bot:play"
    WEBHOOKS_WRITE = "webhooks:write"


# Tokens of humans cannot play as a bot, and tokens of bots cannot change an account.
HUMAN_SCOPES: Final = frozenset(Scope) - {Scope.BOT_PLAY}
BOT_SCOPES: Final = frozenset({Scope.MATCHES_READ, Scope.BOT_PLAY, Scope.WEBHOOKS_WRITE})


def new_token_id() -> str:
    """Return a random public id, unrelated to the secret of the token."""
    return f"t_{secrets.token_hex(8)}"


class TokenRow(NamedTuple):
    """The columns of a token needed to authenticate a request, with its player."""

    digest: str
    scopes: str
    expiry: datetime | None
    sliding: timedelta | None
    player: Player
    # Of the access token of an app.
    authorization_id: int | None = None

    @property
    def scope_set(self) -> frozenset[Scope]:
        """The scopes as a set."""
        return _parse_scopes(self.scopes)

    def is_valid(self, now: datetime) -> bool:
        """Return whether the token is not expired and its player is active."""
        return self.player.is_active and (self.expiry is None or self.expiry > now)

    def is_renewable(self, now: datetime) -> bool:
        """Return whether use of the token extends its expiry, which happens at most once an hour."""
        if self.sliding is None or self.expiry is None:
            return False
        return now + self.sliding - self.expiry >= MIN_RENEWAL_INTERVAL


class ApiToken(AbstractAuthToken):
    """A token of a player. `token_key` is its prefix, by which the owner recognizes it.

    With `sliding`, use of the token extends its expiry by this period; without, the expiry is fixed. A
    session is a token from logging in; other tokens were created for programs, or by an app that the player
    has authorized. Until `fresh_until` a session
    may make changes that need the password.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_token_id, editable=False)
    name = models.CharField(max_length=MAX_TOKEN_NAME_LENGTH, blank=True, default="")
    scopes = models.CharField(max_length=120)
    sliding = models.DurationField(null=True, blank=True)
    session = models.BooleanField(default=False, db_default=False)
    fresh_until = models.DateTimeField(null=True, blank=True)
    user_agent = models.CharField(max_length=MAX_USER_AGENT_LENGTH, blank=True, default="", db_default="")
    # Of the access token of an app; null for all others. The partial index covers this column.
    authorization = models.ForeignKey(
        "games.Authorization",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="tokens",
        db_index=False,
    )

    class Meta:
        """Options of the model that replaces the token model of knox."""

        verbose_name = "token"
        verbose_name_plural = "tokens"
        indexes: ClassVar = [
            models.Index(fields=["user", "-created"], name="token_of_player"),
            models.Index(
                name="token_of_authorization",
                fields=["authorization"],
                condition=models.Q(authorization__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Return the public id and the player, not the secret."""
        return f"{self.public_id} of player {self.user_id}"

    def row(self) -> TokenRow:
        """Return the columns needed to authenticate a request."""
        return TokenRow(self.digest, self.scopes, self.expiry, self.sliding, self.user, self.authorization_id)


class Block(models.Model):
    """A player does not want to play with another one, who is not told."""

    # The unique constraint serves queries by blocker.
    blocker = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    blocked = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Constraints: each player once, and never oneself."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="block_once", fields=["blocker", "blocked"]),
            models.CheckConstraint(
                name="block_of_somebody_else", condition=~models.Q(blocker=models.F("blocked"))
            ),
        ]

    def __str__(self) -> str:
        """Return the ids of both."""
        return f"{self.blocker_id} blocks {self.blocked_id}"


@lru_cache(1_000)  # few combinations of scopes are in use
def _parse_scopes(scopes: str) -> frozenset[Scope]:
    return frozenset(Scope(scope) for scope in scopes.split())


def format_scopes(scopes: Iterable[Scope]) -> str:
    """Format scopes for storage, in the order of `Scope`.

    >>> format_scopes({Scope.MATCHES_PLAY, Scope.MATCHES_READ})
    'matches:read matches:play'
    """
    selected = set(scopes)
    return " ".join(scope for scope in Scope if scope in selected)
