"""What the bodies of requests about accounts look like."""

from typing import Any, ClassVar

from rest_framework import serializers

from games.api.schema.fields import list_of
from games.api.schema.forms.accounts import notice, scope
from games.api.shapes import Email, Moment, Shape, Text
from games.models.player import LONGEST_DISPLAY_NAME, LONGEST_USERNAME, USERNAME_PATTERN
from games.models.token import LONGEST_TOKEN_NAME
from games.selectors.players import NOTICES
from games.services.accounts.passwords import LONGEST_PASSWORD

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
