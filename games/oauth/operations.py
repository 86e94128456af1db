"""OpenAPI operations of the endpoints for apps and authorizations."""

from typing import Final

from games.api.schema.operations import APPS, CREATED, NO_CONTENT, OK, Operation, Page
from games.oauth import serializers

LIST_APPS: Final = Operation(
    id="listApps",
    summary="List your apps",
    description="Newest first. Tokens of apps cannot use this, nor any other route below `/me/apps`.",
    tag=APPS,
    answers={OK: Page(serializers.AppSerializer)},
)
CREATE_APP: Final = Operation(
    id="createApp",
    summary="Register an app",
    description=(
        "The app can then ask players to act for them: OAuth 2.1 with authorization codes and PKCE at "
        "`/oauth/authorize` and `/oauth/token`. Needs a fresh session (`POST /me/reauthenticate`)."
    ),
    tag=APPS,
    body=serializers.AppRequestSerializer,
    answers={CREATED: serializers.AppSerializer},
    location="/api/v1/me/apps/{id}",
    problems=("reauthentication_required", "limit_reached", "not_allowed"),
)
CHANGE_APP: Final = Operation(
    id="changeApp",
    summary="Change an app",
    description="What players have authorized stays. Needs a fresh session.",
    tag=APPS,
    body=serializers.AppChangesRequestSerializer,
    answers={OK: serializers.AppSerializer},
    problems=("reauthentication_required",),
)
DELETE_APP: Final = Operation(
    id="deleteApp",
    summary="Delete an app",
    description="All its tokens and webhooks end at once. Needs a fresh session.",
    tag=APPS,
    answers={NO_CONTENT: None},
    problems=("reauthentication_required",),
)
LIST_AUTHORIZATIONS: Final = Operation(
    id="listAuthorizations",
    summary="List the apps that you have authorized",
    description="Newest first.",
    tag=APPS,
    answers={OK: Page(serializers.AuthorizationSerializer)},
)
END_AUTHORIZATION: Final = Operation(
    id="endAuthorization",
    summary="End what an app may do",
    description="Its tokens for your account and the webhooks that it created end at once.",
    tag=APPS,
    answers={NO_CONTENT: None},
)
