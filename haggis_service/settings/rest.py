"""Settings of Django REST framework, of tokens and of CORS."""

from datetime import timedelta
from typing import Any

# JSON only. games/api implements the rest.
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["games.api.auth.BearerTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["games.api.auth.ScopePermission"],
    "DEFAULT_THROTTLE_CLASSES": ["games.api.throttling.RateThrottle"],
    "DEFAULT_PARSER_CLASSES": ["games.api.content.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["games.api.content.CompactJSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.content.QualityNegotiation",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "games.api.schema.components.ContractSchema",
    "EXCEPTION_HANDLER": "games.api.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

# 256 random bits after a prefix that secret scanners recognise. Tokens are stored as hashes.
KNOX_TOKEN_MODEL = "games.ApiToken"  # noqa: S105 -- the name of a model
# Their own tables are not created.
MIGRATION_MODULES = {"knox": None, "oauth2_provider": None}
REST_KNOX: dict[str, Any] = {
    "TOKEN_PREFIX": "haggis_",
    "AUTH_TOKEN_CHARACTER_LENGTH": 64,
    "TOKEN_TTL": timedelta(days=90),
    "AUTH_HEADER_PREFIX": "Bearer",
}

# Any origin may use the API and the endpoints of apps: they authenticate with tokens, never with cookies.
# The middleware of the API removes the trailing slash of `/api/`.
CORS_URLS_REGEX = r"^/(api(/|$)|oauth/(token|revoke)$|\.well-known/oauth-authorization-server$)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = (
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
    "x-request-id",
)
CORS_EXPOSE_HEADERS = (
    "ETag",
    "Location",
    "Link",
    "Idempotency-Replayed",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Deprecation",
    "Sunset",
    "X-Request-ID",
)
CORS_PREFLIGHT_MAX_AGE = 24 * 3600
