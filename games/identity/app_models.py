"""Apps of third parties, and the authorizations with which players let them act."""

import secrets
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.identity.models import Player

MAX_APP_NAME_LENGTH: Final = 50
MAX_WEBSITE_LENGTH: Final = 300


def new_client_id() -> str:
    """Return a random client id. It is public: a public client has no secret."""
    return f"app_{secrets.token_hex(12)}"


def new_authorization_id() -> str:
    """Return a random public id."""
    return f"au_{secrets.token_hex(8)}"


class OAuthApp(models.Model):
    """An app of a third party that players can authorize (a public client of OAuth 2.1).

    `redirect_uris` are the exact addresses to which codes may be sent. An app that operators have stopped, or
    whose owner is banned or suspended, gets no codes and tokens.
    """

    client_id = models.CharField(max_length=40, unique=True, default=new_client_id, editable=False)
    # The index `oauth_app_of_owner` covers this column.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="oauth_apps", db_index=False
    )
    name = models.CharField(max_length=MAX_APP_NAME_LENGTH)
    website = models.CharField(max_length=MAX_WEBSITE_LENGTH, blank=True, default="")
    redirect_uris: "models.JSONField[Any, Any]" = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Index the apps of a player, newest first."""

        verbose_name = "app"
        verbose_name_plural = "apps"
        indexes: ClassVar = [models.Index(fields=["owner", "-created_at"], name="oauth_app_of_owner")]

    def __str__(self) -> str:
        """Return the name and the client id."""
        return f"{self.name} ({self.client_id})"

    @property
    def is_working(self) -> bool:
        """Whether the app may get codes and tokens."""
        owner: Player = self.owner
        return self.stopped_at is None and owner.is_active and not owner.is_suspended


class Authorization(models.Model):
    """The consent of a player that an app may act for them, within some scopes.

    The tokens of the app and the webhooks that it created are deleted with it.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_authorization_id, editable=False)
    # The unique constraint is the index for this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="authorizations", db_index=False
    )
    app = models.ForeignKey(OAuthApp, on_delete=models.CASCADE, related_name="authorizations")
    scopes = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """One authorization for each player and app. It never includes playing as a bot."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="authorization_once", fields=["player", "app"]),
            models.CheckConstraint(
                name="authorization_is_of_a_person", condition=~Q(scopes__contains="bot:play")
            ),
        ]

    def __str__(self) -> str:
        """Return the public id, the player and the app."""
        return f"{self.public_id} of player {self.player_id}"
