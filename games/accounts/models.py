"""Login attempts, devices, blocked addresses, second factors, security events, sent mails and tickets."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models

from games.core.secrets import SecretJSONField
from games.identity.models import ApiToken

DIGEST_LENGTH: Final = 64
MAX_DEVICE_LENGTH: Final = 60
MAX_ADDRESS_LENGTH: Final = 254


class LogInAttempt(models.Model):
    """A failed or pending login attempt.

    `account` is the keyed hash of the username that was entered, whether or not such an account exists.
    """

    account = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        """Indexes for counting recent attempts by account and by address, and for deleting old ones."""

        verbose_name = "log-in attempt"
        verbose_name_plural = "log-in attempts"
        indexes: ClassVar = [
            models.Index(fields=["account", "at"], name="attempt_at_account"),
            models.Index(fields=["address", "at"], name="attempt_from_address"),
            models.Index(fields=["at"], name="attempt_by_age"),
        ]

    def __str__(self) -> str:
        """Return the time of the attempt; neither account nor address is included."""
        return f"attempt at {self.at:%Y-%m-%d %H:%M:%S}"


class KnownDevice(models.Model):
    """A network address and a kind of device from which somebody has logged in or become a guest.

    `address` is a keyed hash: addresses are compared, never shown.
    """

    # The unique constraint is the index for this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    address = models.CharField(max_length=DIGEST_LENGTH)
    device = models.CharField(max_length=MAX_DEVICE_LENGTH, blank=True, default="")
    last_seen = models.DateTimeField()

    class Meta:
        """Store each combination once."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="known_device_once", fields=["player", "address", "device"]),
        ]
        indexes: ClassVar = [models.Index(fields=["address"], name="known_device_by_address")]

    def __str__(self) -> str:
        """Return the player, without the address."""
        return f"device of player {self.player_id}"


class BlockedAddress(models.Model):
    """A network address from which no guest can be created for some hours, because one was banned there.

    `address` is a keyed hash, as in `KnownDevice`.
    """

    address = models.CharField(max_length=DIGEST_LENGTH)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        """Store each combination once; look up by address, and delete by age."""

        verbose_name_plural = "blocked addresses"
        constraints: ClassVar = [
            models.UniqueConstraint(name="blocked_address_once", fields=["address", "player"]),
        ]
        indexes: ClassVar = [models.Index(fields=["until"], name="blocked_address_by_age")]

    def __str__(self) -> str:
        """Return the player, without the address."""
        return f"address of player {self.player_id}"


class SecondFactor(models.Model):
    """The key from which an authenticator app computes codes (TOTP). It counts once `confirmed_at` is set.

    `last_step` is the time step of the last code that was accepted: no code is accepted twice.
    """

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="second_factor"
    )
    key = SecretJSONField()
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        """Return the player, without the key."""
        return f"second factor of player {self.player_id}"


class RecoveryCode(models.Model):
    """An unused recovery code, which replaces one code of the authenticator app. Only its hash is stored."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    digest = models.CharField(max_length=128)

    class Meta:
        """Index by player; codes are random, so each exists once."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="recovery_code_once", fields=["player", "digest"]),
        ]

    def __str__(self) -> str:
        """Return the player, without the hash."""
        return f"recovery code of player {self.player_id}"


class SecurityEventKind(models.TextChoices):
    """What the owner of an account is notified of."""

    EMAIL_CHANGED = "email_changed"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 -- the name of an event
    SECOND_FACTOR_ADDED = "second_factor_added"
    SECOND_FACTOR_REMOVED = "second_factor_removed"
    NEW_DEVICE = "new_device"
    APP_AUTHORIZED = "app_authorized"


class SecurityEvent(models.Model):
    """A change that could be the work of an intruder. It is deleted after a week.

    `email` is the confirmed address of the account at that time, to which the notice is sent, or empty.
    `device` is the name of the device, or that of the app.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=24, choices=SecurityEventKind)
    at = models.DateTimeField()
    email = models.CharField(max_length=MAX_ADDRESS_LENGTH, blank=True, default="")
    device = models.CharField(max_length=MAX_DEVICE_LENGTH, blank=True, default="")

    class Meta:
        """An index for deleting old events, and the known kinds."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="security_event_kind_is_known",
                condition=models.Q(kind__in=SecurityEventKind.values),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["at"], name="security_event_by_age")]

    def __str__(self) -> str:
        """Return the kind and the player, without the address."""
        return f"{self.kind} of player {self.player_id}"


class SentMail(models.Model):
    """A mail that counts towards the limits: for whom, to which address, and which client caused it.

    Addresses are keyed hashes. `purpose` separates the limits, so that no mail can use up those of another.
    """

    purpose = models.CharField(max_length=24)
    account = models.BigIntegerField(null=True)
    email = models.CharField(max_length=DIGEST_LENGTH)
    source = models.CharField(max_length=64, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        """Indexes for counting recent mails, and for deleting old ones."""

        indexes: ClassVar = [
            models.Index(fields=["account", "at"], name="sent_mail_of_account"),
            models.Index(fields=["email", "at"], name="sent_mail_to_email"),
            models.Index(fields=["source", "at"], name="sent_mail_by_source"),
            models.Index(fields=["at"], name="sent_mail_by_age"),
        ]

    def __str__(self) -> str:
        """Return the time and the purpose, without any address."""
        return f"{self.purpose} at {self.at:%Y-%m-%d %H:%M:%S}"


class Ticket(models.Model):
    """A single-use stand-in for the token it was issued with; it is deleted with that token.

    Only the hash of the ticket is stored.
    """

    digest = models.CharField(max_length=128, primary_key=True)
    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="tickets")
    expires_at = models.DateTimeField()

    class Meta:
        """An index for deleting expired tickets; lookups use the primary key."""

        indexes: ClassVar = [models.Index(fields=["expires_at"], name="ticket_by_age")]

    def __str__(self) -> str:
        """Return a constant, so that nothing usable ends up in a log."""
        return "ticket"
