"""Settings of django-oauth-toolkit, which has the protocol of the sign-in for apps."""

from typing import Any

# Tables of our own replace those of the library: access tokens are stored with all other tokens, hashed, so
# that they are as fast. OpenID Connect and device codes are not offered, so their models name any table.
OAUTH2_PROVIDER_APPLICATION_MODEL = "games.OAuthApp"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "games.ApiToken"  # noqa: S105 -- the name of a model
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "games.OAuthRefreshToken"  # noqa: S105 -- the same
OAUTH2_PROVIDER_GRANT_MODEL = "games.OAuthCode"
OAUTH2_PROVIDER_ID_TOKEN_MODEL = "games.ApiToken"  # noqa: S105 -- the same
OAUTH2_PROVIDER_DEVICE_GRANT_MODEL = "games.OAuthCode"

OAUTH2_PROVIDER: dict[str, Any] = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "games.oauth.validator.Validator",
    "ACCESS_TOKEN_GENERATOR": "games.oauth.secret_texts.new_access_token",
    "REFRESH_TOKEN_GENERATOR": "games.oauth.secret_texts.new_refresh_token",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 3600,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "PKCE_REQUIRED": True,
    # The validator does what these describe; they also satisfy the deployment checks of the library.
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_SCHEME": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
}
