"""Request and response serializers of the endpoints for apps and authorizations."""

from typing import Any

from games.accounts.serializers import scope
from games.api.schema.fields import ResponseSerializer, list_field
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.identity.app_models import MAX_APP_NAME_LENGTH, MAX_WEBSITE_LENGTH
from games.oauth.apps import MAX_REDIRECT_URI_LENGTH, MAX_REDIRECT_URIS

_REDIRECT_URIS: str = (
    "The addresses to which players return with a code, compared character by character: https; http with "
    "localhost or 127.0.0.1; or a scheme of your own with a dot, such as `com.example.app:/callback`."
)


def _redirect_uris(**options: Any) -> Any:
    return list_field(
        StringField(max_length=MAX_REDIRECT_URI_LENGTH),
        min_length=1,
        max_length=MAX_REDIRECT_URIS,
        help_text=_REDIRECT_URIS,
        **options,
    )


class AppRequestSerializer(RequestSerializer[Any]):
    """A new app."""

    name = StringField(max_length=MAX_APP_NAME_LENGTH, help_text="Shown when players are asked to allow it.")
    redirect_uris = _redirect_uris()
    website = StringField(
        max_length=MAX_WEBSITE_LENGTH,
        required=False,
        allow_blank=True,
        help_text="An https address with more about the app; can be omitted.",
    )


class AppChangesRequestSerializer(RequestSerializer[Any]):
    """The properties of an app to change; those that are left out stay as they are."""

    name = StringField(max_length=MAX_APP_NAME_LENGTH, required=False, help_text="The new name.")
    redirect_uris = _redirect_uris(required=False)
    website = StringField(
        max_length=MAX_WEBSITE_LENGTH, required=False, allow_blank=True, help_text="Empty for none."
    )


class AppSerializer(ResponseSerializer):
    """An app of yours. It is a public client: there is no secret."""

    id = StringField(help_text="The `client_id`.")
    name = StringField()
    website = StringField(allow_blank=True, help_text="Empty if there is none.")
    redirect_uris = list_field(StringField(), help_text=_REDIRECT_URIS)
    players = IntegerField(min_value=0, help_text="How many players have authorized the app.")
    stopped = StrictBooleanField(help_text="Whether operators have stopped it: it gets no tokens.")
    created_at = DateTimeField()


class AuthorizedAppSerializer(ResponseSerializer):
    """An app that you have authorized."""

    id = StringField(help_text="The `client_id`.")
    name = StringField()
    website = StringField(allow_blank=True, help_text="Empty if there is none.")
    owner = StringField(help_text="The username of the player who made the app.")


class AuthorizationSerializer(ResponseSerializer):
    """What you let an app do."""

    id = StringField()
    app = AuthorizedAppSerializer()
    scopes = list_field(scope())
    created_at = DateTimeField()
    last_used_at = DateTimeField(help_text="When the app got its last token.")
