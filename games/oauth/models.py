"""Authorization codes and refresh tokens, both stored as hashes. Access tokens are `ApiToken`s.

They replace the models of django-oauth-toolkit, which has the protocol (`games.oauth.validator`).
"""

from typing import ClassVar, Final

from django.db import models
from django.utils import timezone

from games.identity.app_models import Authorization

DIGEST_LENGTH: Final = 128


class OAuthCode(models.Model):
    """An authorization code, which an app exchanges once for tokens.

    A used code is stored until it is clear that nobody presents it again: that would mean that it leaked, and
    ends what was issued for it (`family`).
    """

    digest = models.CharField(max_length=DIGEST_LENGTH, primary_key=True)
    authorization = models.ForeignKey(Authorization, on_delete=models.CASCADE, related_name="codes")
    scopes = models.CharField(max_length=120)
    redirect_uri = models.CharField(max_length=500)
    code_challenge = models.CharField(max_length=43)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    family = models.CharField(max_length=DIGEST_LENGTH, blank=True, default="")

    class Meta:
        """An index for deleting old codes."""

        verbose_name = "authorization code"
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="oauth_code_by_age")]

    def __str__(self) -> str:
        """Return a constant, so that nothing usable ends up in a log."""
        return "authorization code"


class OAuthRefreshToken(models.Model):
    """A refresh token and everything that was issued for one sign-in at an app: its family.

    A refresh token consists of a key, the same in the whole family, and a secret that is replaced at each
    use. So a known key with another secret is a token that was used before: it was copied, and the family
    ends. `access_digest` is the digest of the current access token.
    """

    family = models.CharField(max_length=DIGEST_LENGTH, primary_key=True)
    authorization = models.ForeignKey(Authorization, on_delete=models.CASCADE, related_name="refresh_tokens")
    digest = models.CharField(max_length=DIGEST_LENGTH)
    access_digest = models.CharField(max_length=DIGEST_LENGTH)
    scopes = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        """An index for deleting expired tokens."""

        verbose_name = "refresh token"
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="oauth_refresh_by_age")]

    def __str__(self) -> str:
        """Return a constant, so that nothing usable ends up in a log."""
        return "refresh token"
