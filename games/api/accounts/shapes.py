"""What the bodies of requests about accounts look like."""

from rest_framework import serializers

from games.api.shapes import Email, Moment, OneOf, Shape, Text
from games.models import Scope
from games.models.player import LONGEST_DISPLAY_NAME, LONGEST_USERNAME
from games.models.token import LONGEST_TOKEN_NAME
from games.selectors.players import NOTICES
from games.services.accounts.passwords import LONGEST_PASSWORD

SHORTEST_USERNAME = 3
LONGEST_EMAIL = 254


class Username(Text):
    """A name that somebody wants to have."""

    def __init__(self, **options: object) -> None:
        super().__init__(min_length=SHORTEST_USERNAME, max_length=LONGEST_USERNAME, **options)


class DisplayName(Text):
    """A name as it is shown, or none."""

    def __init__(self, **options: object) -> None:
        super().__init__(max_length=LONGEST_DISPLAY_NAME, allow_blank=True, **options)


class Password(Text):
    """A password; whether it is a good one, the service says."""

    def __init__(self, **options: object) -> None:
        super().__init__(max_length=LONGEST_PASSWORD, **options)


class GuestShape(Shape):
    """`POST /auth/guest`."""

    display_name = DisplayName(required=False)


class RegisterShape(Shape):
    """`POST /auth/register` and `POST /auth/claim`."""

    username = Username()
    password = Password()
    email = Email(max_length=LONGEST_EMAIL, required=False)


class LogInShape(Shape):
    """`POST /auth/token`: any text may be tried."""

    username = Text(max_length=150)
    password = Password()


class ResetShape(Shape):
    """`POST /auth/password/reset`: the account by its name, its address, or both."""

    username = Text(max_length=150, required=False)
    email = Email(max_length=LONGEST_EMAIL, required=False)

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Want one of the two."""
        if not attrs:
            raise serializers.ValidationError({"email": ["missing"]}, code="required")
        return attrs


class NewPasswordShape(Shape):
    """`POST /auth/password/confirm`."""

    token = Text(max_length=200)
    password = Password()


class TokenOnlyShape(Shape):
    """`POST /auth/email/confirm`."""

    token = Text(max_length=200)


class ChangePasswordShape(Shape):
    """`POST /me/password`."""

    current_password = Password()
    password = Password()


class NotificationsShape(Shape):
    """What to be told of, by each way."""

    email = serializers.ListField(child=OneOf(choices=NOTICES), max_length=len(NOTICES), required=False)
    push = serializers.ListField(child=OneOf(choices=NOTICES), max_length=len(NOTICES), required=False)


class ProfileShape(Shape):
    """`PATCH /me`: whatever is to be changed."""

    display_name = DisplayName(required=False)
    email = Email(max_length=LONGEST_EMAIL, required=False, allow_null=True)
    time_zone = Text(max_length=64, required=False)
    notifications = NotificationsShape(required=False)


class TokenShape(Shape):
    """`POST /me/tokens`."""

    name = Text(max_length=LONGEST_TOKEN_NAME)
    scopes = serializers.ListField(
        child=OneOf(choices=[scope.value for scope in Scope]), min_length=1, max_length=10
    )
    expires_at = Moment(required=False, allow_null=True)


class BotShape(Shape):
    """`POST /me/bots`."""

    username = Username()
    display_name = DisplayName(required=False)
