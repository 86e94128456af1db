"""Request and response schemas of accounts."""

from typing import Any, ClassVar

from rest_framework import serializers

from games.accounts.services.credentials import MAX_PASSWORD_LENGTH
from games.api.schema.fields import ResponseSerializer, enumeration, list_field
from games.api.schema.table import player_kind
from games.api.serializers import (
    DateTimeField,
    EmailField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.identity.models import (
    MAX_DISPLAY_NAME_LENGTH,
    MAX_TOKEN_NAME_LENGTH,
    MAX_USERNAME_LENGTH,
    USERNAME_PATTERN,
    Scope,
)
from games.identity.queries import NOTICE_KINDS

scope = enumeration("Scope", [each.value for each in Scope], "How far a token reaches.")
notice = enumeration("Notice", NOTICE_KINDS, "What a player may be told of.")


class PlayerSerializer(ResponseSerializer):
    """A player."""

    username = StringField(help_text="Unique, whatever the case of its letters.")
    kind = player_kind()
    display_name = StringField(allow_blank=True, help_text="As the player wants to be called; may be empty.")


class ProfileSerializer(PlayerSerializer):
    """What anybody may know of a player."""

    owner = StringField(allow_null=True, help_text="Whose bot it is; null for people.")
    created = DateTimeField(help_text="Since when there is this account.")


class NotificationsSerializer(ResponseSerializer):
    """What a player wants to be told of, by each way."""

    email = list_field(notice(), help_text="At once.")
    digest = list_field(notice(), help_text="In one mail a day.")
    push = list_field(notice())


class MeSerializer(ProfileSerializer):
    """What a player knows of themselves."""

    email = StringField(allow_null=True, help_text="Shown only to tokens with the scope `account:write`.")
    email_confirmed = StrictBooleanField(
        allow_null=True, help_text="Whether mail goes there; shown like the address."
    )
    time_zone = StringField(help_text="A name of the tz database, as `Europe/London`.")
    notifications = NotificationsSerializer()


class EnteredSerializer(ResponseSerializer):
    """A player, and a token that acts for them. The token is shown only here."""

    token = StringField(help_text="Secret: to be sent as `Authorization: Bearer ...`.")
    player = PlayerSerializer()


class ClaimedSerializer(ResponseSerializer):
    """The player, who now has a name and a password."""

    player = PlayerSerializer()


class TokenSerializer(ResponseSerializer):
    """A token, without the token itself."""

    id = StringField()
    name = StringField(allow_blank=True, help_text="What its owner calls it.")
    scopes = list_field(scope(), help_text="How far it reaches.")
    starts_with = StringField(help_text="Its first characters, to know it again by.")
    created = DateTimeField()
    expires_at = DateTimeField(
        allow_null=True, help_text="When it ends unless it is used; null where it does not end."
    )
    current = StrictBooleanField(help_text="Whether it is the one that was shown with this request.")


class NewTokenSerializer(TokenSerializer):
    """A new token with its secret, which is shown only here."""

    token = StringField(help_text="Secret: to be sent as `Authorization: Bearer ...`.")


class TicketSerializer(ResponseSerializer):
    """A ticket, which is shown only here."""

    ticket = StringField(help_text="Secret: to be sent as `?ticket=`.")
    expires_at = DateTimeField()


MIN_USERNAME_LENGTH = 3
MAX_EMAIL_LENGTH = 254


class Username(StringField):
    """A name that somebody wants to have."""

    schema_extra: ClassVar = {"pattern": f"^{USERNAME_PATTERN}$"}

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "Letters, digits, - and _; unique, whatever the case of its letters.")
        super().__init__(min_length=MIN_USERNAME_LENGTH, max_length=MAX_USERNAME_LENGTH, **options)


class DisplayName(StringField):
    """A name as it is shown, or none."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "Empty: the username is shown.")
        super().__init__(max_length=MAX_DISPLAY_NAME_LENGTH, allow_blank=True, **options)


class Password(StringField):
    """A password; whether it is a good one, the service says."""

    schema_extra: ClassVar = {"format": "password"}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_PASSWORD_LENGTH, **options)


class GuestRequestSerializer(RequestSerializer):
    """A guest."""

    defaults: ClassVar = {"display_name": ""}

    display_name = DisplayName(required=False)


class RegisterRequestSerializer(RequestSerializer):
    """A name and a password."""

    username = Username()
    password = Password()
    email = EmailField(
        max_length=MAX_EMAIL_LENGTH, required=False, help_text="To be confirmed. Left out: no mail is sent."
    )


class LogInRequestSerializer(RequestSerializer):
    """Name and password; any text may be tried."""

    username = StringField(max_length=150)
    password = Password()


class ResetRequestSerializer(RequestSerializer):
    """The account by its name, its address, or both: either may be left out."""

    schema_extra: ClassVar = {"minProperties": 1}

    username = StringField(max_length=150, required=False)
    email = EmailField(max_length=MAX_EMAIL_LENGTH, required=False)

    @classmethod
    def needs_a_body(cls) -> bool:
        """Want one of the two, whichever."""
        return True

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Want one of the two."""
        if not attrs:
            raise serializers.ValidationError({"email": ["missing"]}, code="required")
        return attrs


class NewPasswordRequestSerializer(RequestSerializer):
    """A new password, with the token of a mail."""

    token = StringField(max_length=200)
    password = Password()


class TokenOnlyRequestSerializer(RequestSerializer):
    """The token of a mail."""

    token = StringField(max_length=200)


class ChangePasswordRequestSerializer(RequestSerializer):
    """The password as it was, and as it is to be."""

    current_password = Password()
    password = Password()


class NotificationsRequestSerializer(RequestSerializer):
    """What to be told of, by each way; a way that is left out stays as it is."""

    email = list_field(notice(), max_length=len(NOTICE_KINDS), required=False, help_text="At once.")
    digest = list_field(
        notice(), max_length=len(NOTICE_KINDS), required=False, help_text="In one mail a day."
    )
    push = list_field(notice(), max_length=len(NOTICE_KINDS), required=False)


class ProfileRequestSerializer(RequestSerializer):
    """Whatever is to be changed; what is left out stays as it is."""

    display_name = DisplayName(required=False)
    email = EmailField(max_length=MAX_EMAIL_LENGTH, required=False, allow_null=True)
    time_zone = StringField(
        max_length=64, required=False, help_text="A name of the tz database, as `Europe/London`."
    )
    notifications = NotificationsRequestSerializer(required=False)


class TokenRequestSerializer(RequestSerializer):
    """A token for a program."""

    name = StringField(max_length=MAX_TOKEN_NAME_LENGTH)
    scopes = list_field(
        scope(), min_length=1, max_length=10, help_text="No further than your own token reaches."
    )
    expires_at = DateTimeField(
        required=False, allow_null=True, help_text="Left out or null: it does not end."
    )


class BotRequestSerializer(RequestSerializer):
    """A bot."""

    defaults: ClassVar = {"display_name": ""}

    username = Username()
    display_name = DisplayName(required=False)
