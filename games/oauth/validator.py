"""What the protocol of django-oauth-toolkit and oauthlib asks of the service: apps, codes and tokens.

The library parses requests, checks PKCE and writes the answers. This class reads and writes our own tables
instead of the models of the library, which would store codes in plain text.
"""

# ruff: noqa: ANN401, ARG002 -- the signatures are those of oauthlib

import re
from typing import Any, Final

from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.common import Request
from oauthlib.oauth2 import InvalidGrantError, InvalidRequestError

from games.identity.app_models import OAuthApp
from games.identity.models import Scope
from games.oauth import services
from games.oauth.models import OAuthCode, OAuthRefreshToken
from games.oauth.queries import APP_SCOPES, DEFAULT_SCOPES, find_app, find_code, find_family, is_current

# The hash of SHA-256, base64url without padding.
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_GRANT_TYPES: Final = ("authorization_code", "refresh_token")
_MAX_SECRET_LENGTH: Final = 200


def require_s256(request: Request) -> None:
    """Raise `invalid_request` unless the challenge of PKCE is a SHA-256 hash."""
    if request.code_challenge_method != "S256":
        raise InvalidRequestError("code_challenge_method must be S256.", request=request)
    if not _CHALLENGE.fullmatch(request.code_challenge or ""):
        raise InvalidRequestError(
            "code_challenge must be the SHA-256 hash of the verifier, base64url.", request=request
        )


class Validator(OAuth2Validator):
    """Public clients only: no client authenticates, PKCE binds a code to who asked for it."""

    def _load_application(self, client_id: str, request: Request) -> OAuthApp | None:
        if not isinstance(request.client, OAuthApp) or request.client.client_id != client_id:
            request.client = find_app(client_id or "")
        return request.client

    def client_authentication_required(self, request: Request, *args: Any, **kwargs: Any) -> bool:
        """Refuse requests with a secret: no app has one."""
        return bool(self._extract_basic_auth(request) or request.client_secret)

    def authenticate_client(self, request: Request, *args: Any, **kwargs: Any) -> bool:
        """Return False: there are no confidential clients."""
        return False

    def authenticate_client_id(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> bool:
        """Return whether the app exists and is working."""
        return self._load_application(client_id, request) is not None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Return whether the address is exactly one of those of the app."""
        return redirect_uri in request.client.redirect_uris

    def get_default_redirect_uri(
        self, client_id: str, request: Request, *args: Any, **kwargs: Any
    ) -> str | None:
        """Return the address of the code, or the only address of the app."""
        code = getattr(request, "stored_code", None)
        if isinstance(code, OAuthCode):
            return code.redirect_uri
        addresses: list[str] = request.client.redirect_uris
        return addresses[0] if len(addresses) == 1 else None

    def validate_response_type(
        self,
        client_id: str,
        response_type: str,
        client: OAuthApp,
        request: Request,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        """Accept codes only."""
        return response_type == "code"

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: OAuthApp, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Accept codes and refresh tokens."""
        return grant_type in _GRANT_TYPES

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: OAuthApp, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Return whether apps may ask for all of these scopes."""
        return set(scopes).issubset(APP_SCOPES)

    def get_default_scopes(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> list[str]:
        """Return what an app gets that names no scope."""
        return [scope.value for scope in DEFAULT_SCOPES]

    # --- Codes

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """Store the consent and the code."""
        require_s256(request)
        services.grant_code(
            player=request.user,
            app=request.client,
            scopes=[Scope(scope) for scope in request.scopes],
            redirect_uri=request.redirect_uri,
            code_challenge=request.code_challenge,
            code=code["code"],
        )

    def validate_code(
        self, client_id: str, code: str, client: OAuthApp, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Read the code; a used one ends what was issued for it."""
        found = find_code(app=client, code=code) if len(code) <= _MAX_SECRET_LENGTH else None
        if found is None:
            return False
        if found.used_at is not None:
            services.end_reused_code(code=found)
            return False
        request.stored_code = found
        request.user, request.scopes = found.authorization.player, found.scopes.split()
        return True

    def get_code_challenge(self, code: str, request: Request) -> str:
        """Return the challenge that the app sent when it asked for the code."""
        stored: OAuthCode = request.stored_code
        return stored.code_challenge

    def get_code_challenge_method(self, code: str, request: Request) -> str:
        """Return the only method."""
        return "S256"

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: OAuthApp, *args: Any, **kwargs: Any
    ) -> bool:
        """Return whether the code was sent to this address."""
        stored: OAuthCode = args[0].stored_code
        return redirect_uri == stored.redirect_uri

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """Do nothing: `save_bearer_token` uses the code and stores the tokens in one transaction."""

    # --- Tokens

    def save_bearer_token(self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any) -> None:
        """Use the code or refresh token and store the new tokens; raise `invalid_grant` if it is used."""
        access_token, refresh_token = token["access_token"], token["refresh_token"]
        try:
            if request.grant_type == "authorization_code":
                services.exchange_code(
                    code=request.stored_code, access_token=access_token, refresh_token=refresh_token
                )
            else:
                services.rotate_refresh_token(
                    family=request.stored_family,
                    presented=request.refresh_token,
                    access_token=access_token,
                    refresh_token=refresh_token,
                    scopes=request.scopes,
                )
        except services.GrantRefusedError as error:
            raise InvalidGrantError(request=request) from error

    def validate_refresh_token(
        self, refresh_token: str, client: OAuthApp, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Read the family of the token; a used token ends it."""
        found = find_family(app=client, refresh_token=refresh_token)
        if found is None:
            return False
        if not is_current(found, refresh_token):
            services.end_reused_family(family=found)
            return False
        request.stored_family, request.user = found, found.authorization.player
        return True

    def get_original_scopes(
        self, refresh_token: str, request: Request, *args: Any, **kwargs: Any
    ) -> list[str]:
        """Return the scopes to which the player has consented at this sign-in."""
        family: OAuthRefreshToken = request.stored_family
        return family.scopes.split()

    def revoke_token(
        self, token: str, token_type_hint: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """End the sign-in that a token of this app belongs to."""
        if len(token) <= _MAX_SECRET_LENGTH:
            services.revoke(app=request.client, token=token)
