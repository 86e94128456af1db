"""Request and response schemas of accounts."""

from typing import Any, ClassVar

from rest_framework import serializers

from games.accounts.services.credentials import LONGEST_PASSWORD
from games.api.schema.fields import Form, enumeration, list_of
from games.api.schema.table import player_kind
from games.api.serializers import Email, Flag, Moment, Shape, Text
from games.identity.models import (
    LONGEST_DISPLAY_NAME,
    LONGEST_TOKEN_NAME,
    LONGEST_USERNAME,
    USERNAME_PATTERN,
    Scope,
)
from games.identity.queries import NOTICES

scope = enumeration("Scope", [each.value for each in Scope], "How far a token reaches.")
notice = enumeration("Notice", NOTICES, "What a player may be told of.")


class PlayerForm(Form):
    """A player."""

    username = Text(help_text="Unique, whatever the case of its letters.")
    kind = player_kind()
    display_name = Text(allow_blank=True, help_text="As the player wants to be called; may be empty.")


class ProfileForm(PlayerForm):
    """What anybody may know of a player."""

    owner = Text(allow_null=True, help_text="Whose bot it is; null for people.")
    created = Moment(help_text="Since when there is this account.")


class NotificationsForm(Form):
    """What a player wants to be told of, by each way."""

    email = list_of(notice(), help_text="At once.")
    digest = list_of(notice(), help_text="In one mail a day.")
    push = list_of(notice())


class MeForm(ProfileForm):
    """What a player knows of themselves."""

    email = Text(allow_null=True, help_text="Shown only to tokens with the scope `account:write`.")
    email_confirmed = Flag(allow_null=True, help_text="Whether mail goes there; shown like the address.")
    time_zone = Text(help_text="A name of the tz database, as `Europe/London`.")
    notifications = NotificationsForm()


class EnteredForm(Form):
    """A player, and a token that acts for them. The token is shown only here."""

    token = Text(help_text="Secret: to be sent as `Authorization: Bearer ...`.")
    player = PlayerForm()


class ClaimedForm(Form):
    """The player, who now has a name and a password."""

    player = PlayerForm()


class TokenForm(Form):
    """A token, without the token itself."""

    id = Text()
    name = Text(allow_blank=True, help_text="What its owner calls it.")
    scopes = list_of(scope(), help_text="How far it reaches.")
    starts_with = Text(help_text="Its first characters, to know it again by.")
    created = Moment()
    expires_at = Moment(
        allow_null=True, help_text="When it ends unless it is used; null where it does not end."
    )
    current = Flag(help_text="Whether it is the one that was shown with this request.")


class NewTokenForm(TokenForm):
    """A new token with its secret, which is shown only here."""

    token = Text(help_text="Secret: to be sent as `Authorization: Bearer ...`.")


class TicketForm(Form):
    """A ticket, which is shown only here."""

    ticket = Text(help_text="Secret: to be sent as `?ticket=`.")
    expires_at = Moment()


SHORTEST_USERNAME = 3
LONGEST_EMAIL = 254


class Username(Text):
    """A name that somebody wants to have."""

    schema_extra: ClassVar = {"pattern": f"^{USERNAME_PATTERN}$"}

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "Letters, digits, - and _; unique, whatever the case of its letters.")
        super().__init__(min_length=SHORTEST_USERNAME, max_length=LONGEST_USERNAME, **options)


class DisplayName(Text):
    """A name as it is shown, or none."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "Empty: the username is shown.")
        super().__init__(max_length=LONGEST_DISPLAY_NAME, allow_blank=True, **options)


class Password(Text):
    """A password; whether it is a good one, the service says."""

    schema_extra: ClassVar = {"format": "password"}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_PASSWORD, **options)


class GuestShape(Shape):
    """A guest."""

    defaults: ClassVar = {"display_name": ""}

    display_name = DisplayName(required=False)


class RegisterShape(Shape):
    """A name and a password."""

    username = Username()
    password = Password()
    email = Email(
        max_length=LONGEST_EMAIL, required=False, help_text="To be confirmed. Left out: no mail is sent."
    )


class LogInShape(Shape):
    """Name and password; any text may be tried."""

    username = Text(max_length=150)
    password = Password()


class ResetShape(Shape):
    """The account by its name, its address, or both: either may be left out."""

    schema_extra: ClassVar = {"minProperties": 1}

    username = Text(max_length=150, required=False)
    email = Email(max_length=LONGEST_EMAIL, required=False)

    @classmethod
    def needs_a_body(cls) -> bool:
        """Want one of the two, whichever."""
        return True

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Want one of the two."""
        if not attrs:
            raise serializers.ValidationError({"email": ["missing"]}, code="required")
        return attrs


class NewPasswordShape(Shape):
    """A new password, with the token of a mail."""

    token = Text(max_length=200)
    password = Password()


class TokenOnlyShape(Shape):
    """The token of a mail."""

    token = Text(max_length=200)


class ChangePasswordShape(Shape):
    """The password as it was, and as it is to be."""

    current_password = Password()
    password = Password()


class NotificationsShape(Shape):
    """What to be told of, by each way; a way that is left out stays as it is."""

    email = list_of(notice(), max_length=len(NOTICES), required=False, help_text="At once.")
    digest = list_of(notice(), max_length=len(NOTICES), required=False, help_text="In one mail a day.")
    push = list_of(notice(), max_length=len(NOTICES), required=False)


class ProfileShape(Shape):
    """Whatever is to be changed; what is left out stays as it is."""

    display_name = DisplayName(required=False)
    email = Email(max_length=LONGEST_EMAIL, required=False, allow_null=True)
    time_zone = Text(
        max_length=64, required=False, help_text="A name of the tz database, as `Europe/London`."
    )
    notifications = NotificationsShape(required=False)


class TokenShape(Shape):
    """A token for a program."""

    name = Text(max_length=LONGEST_TOKEN_NAME)
    scopes = list_of(
        scope(), min_length=1, max_length=10, help_text="No further than your own token reaches."
    )
    expires_at = Moment(required=False, allow_null=True, help_text="Left out or null: it does not end.")


class BotShape(Shape):
    """A bot."""

    defaults: ClassVar = {"display_name": ""}

    username = Username()
    display_name = DisplayName(required=False)
