"""Request and response serializers of the account endpoints."""

from typing import Any, ClassVar, Final

from rest_framework import serializers

from games.accounts.services.bots import BotChanges
from games.accounts.services.credentials import MAX_PASSWORD_LENGTH
from games.accounts.services.profile import ProfileChanges
from games.api.schema.deprecation import CreatedField
from games.api.schema.fields import ResponseSerializer, enumeration, list_field
from games.api.schema.table import player_kind
from games.api.serializers import (
    DateTimeField,
    EmailField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.core.languages import language_names
from games.identity.models import (
    MAX_AT_ONCE,
    MAX_DISPLAY_NAME_LENGTH,
    MAX_TOKEN_NAME_LENGTH,
    MAX_USERNAME_LENGTH,
    USERNAME_PATTERN,
    AccountNoticeKind,
    Opponents,
    Scope,
)
from games.identity.queries import NOTICE_KINDS
from games.ratings.serializers import RatingSerializer

MAX_TURN_SECONDS: Final = 30 * 24 * 3600
scope = enumeration("Scope", [each.value for each in Scope], "What a token permits.")
language_code = enumeration("Language", language_names(), "A language of pages, mails and errors.")
notice = enumeration("Notice", NOTICE_KINDS, "What a player can be notified of.")
account_notice_kind = enumeration(
    "AccountNoticeKind", AccountNoticeKind.values, "What operators notify a player of."
)


opponents = enumeration("Opponents", Opponents.values, "Against whom a bot plays; guests are people.")


class PlayerSerializer(ResponseSerializer):
    """A player."""

    username = StringField(help_text="Unique, ignoring case.")
    kind = player_kind()
    display_name = StringField(
        allow_blank=True, help_text="The name to show; if it is empty, show the username."
    )


class ChallengesSerializer(ResponseSerializer):
    """Which invitations a bot accepts. Others are refused at once with `challenge_refused`."""

    rulesets = list_field(StringField(), help_text="The keys of its rule sets; empty: all of them.")
    players = list_field(IntegerField(min_value=2, max_value=3), help_text="Its numbers of players.")
    min_turn_seconds = IntegerField(
        allow_null=True, help_text="The shortest time for a turn that it accepts; null: any."
    )
    max_turn_seconds = IntegerField(
        allow_null=True, help_text="The longest time for a turn that it accepts; null: any."
    )
    without_clock = StrictBooleanField(help_text="Whether it accepts matches without a clock.")
    opponents = opponents()
    rated = StrictBooleanField(help_text="Whether it accepts rated matches.")
    at_once = IntegerField(min_value=1, help_text="The number of matches that it plays at once at most.")
    auto_accept = StrictBooleanField(
        help_text="Whether it takes its seat at once; otherwise the invitation waits for its answer."
    )


class ProfileSerializer(PlayerSerializer):
    """The public profile of a player."""

    owner = StringField(allow_null=True, help_text="The owner of a bot; null for people.")
    created_at = DateTimeField(help_text="When the account was created.")
    created = CreatedField()
    challenges = ChallengesSerializer(
        allow_null=True,
        help_text="Which invitations a bot accepts; null for people, and for bots that have not declared it.",
    )


class RatedProfileSerializer(ProfileSerializer):
    """The public profile of a player with their ratings."""

    ratings = RatingSerializer(many=True, help_text="The ratings in all pools with rated matches.")


class NotificationsSerializer(ResponseSerializer):
    """What a player is notified of, by channel."""

    email = list_field(notice(), help_text="Sent immediately.")
    digest = list_field(notice(), help_text="Collected in one mail a day.")
    push = list_field(notice())


class AccountNoticeSerializer(ResponseSerializer):
    """A message of the operators, shown until it is acknowledged."""

    id = StringField()
    kind = account_notice_kind()
    text = StringField(help_text="The message, for people.")
    at = DateTimeField()
    until = DateTimeField(allow_null=True, help_text="The end of a suspension.")


class MeSerializer(ProfileSerializer):
    """The profile of the caller."""

    email = StringField(allow_null=True, help_text="Shown only to tokens with the scope `account:write`.")
    email_confirmed = StrictBooleanField(
        allow_null=True, help_text="Whether mail is sent to the address; shown only with it."
    )
    time_zone = StringField(help_text="A name of the tz database, such as `Europe/London`.")
    language = language_code(
        allow_null=True, help_text="The language of mails and push messages; null stands for English."
    )
    notifications = NotificationsSerializer()
    show_online = StrictBooleanField(help_text="Whether others can see that you have an open stream.")
    notices = AccountNoticeSerializer(
        many=True,
        help_text=(
            "Messages of the operators that you have not acknowledged; shown only to tokens with the scope "
            "`account:write`."
        ),
    )


class EnteredSerializer(ResponseSerializer):
    """A player and a new token for them. The token is included only in this response."""

    token = StringField(help_text="Secret. Send it as `Authorization: Bearer ...`.")
    player = PlayerSerializer()


class ClaimedSerializer(ResponseSerializer):
    """The player, who now has a username and a password."""

    player = PlayerSerializer()


class TokenSerializer(ResponseSerializer):
    """A token without its secret."""

    id = StringField()
    name = StringField(allow_blank=True, help_text="The label that its owner chose.")
    scopes = list_field(scope(), help_text="What the token permits.")
    starts_with = StringField(help_text="The first characters of the token, to recognise it.")
    created_at = DateTimeField()
    created = CreatedField()
    expires_at = DateTimeField(
        allow_null=True, help_text="When it expires unless it is used; null if it does not expire."
    )
    current = StrictBooleanField(help_text="Whether this token authenticates the request.")


class NewTokenSerializer(TokenSerializer):
    """A new token with its secret, which is included only in this response."""

    token = StringField(help_text="Secret. Send it as `Authorization: Bearer ...`.")


class FreshSerializer(ResponseSerializer):
    """Until when the session can make changes that need the password."""

    fresh_until = DateTimeField()


class SessionSerializer(ResponseSerializer):
    """A device on which the caller is logged in."""

    id = StringField()
    device = StringField(
        allow_blank=True, help_text="A name made from `user_agent`; empty if the client named no program."
    )
    user_agent = StringField(allow_blank=True, help_text="How the program named itself at log-in.")
    created_at = DateTimeField(help_text="When the player logged in.")
    created = CreatedField()
    last_used = DateTimeField(help_text="When the session was last used, accurate to an hour.")
    expires_at = DateTimeField(allow_null=True, help_text="When it expires unless it is used.")
    current = StrictBooleanField(help_text="Whether this session makes the request.")


class SecondFactorSerializer(ResponseSerializer):
    """Whether logging in needs a code."""

    enabled = StrictBooleanField()
    confirmed_at = DateTimeField(allow_null=True, help_text="Since when; null without a second factor.")
    recovery_codes_left = IntegerField(min_value=0, help_text="How many recovery codes are unused.")


class QrCodeSerializer(ResponseSerializer):
    """A QR code to draw as SVG: `<svg viewBox="0 0 size size"><path stroke="#000" d="path"/></svg>`."""

    size = IntegerField(min_value=1, help_text="Width and height of the square, including the white margin.")
    path = StringField(help_text="Secret. The dark modules as a path with a stroke width of 1.")


class EnrolmentSerializer(ResponseSerializer):
    """The key of a new second factor, which is included only in this response."""

    secret = StringField(help_text="Secret. The key in base32, to type into an authenticator app.")
    uri = StringField(help_text="Secret. The same as an `otpauth:` URI, to show as a link.")
    qr_code = QrCodeSerializer(help_text="Secret. The URI as a QR code, for another device.")


class NewSecondFactorSerializer(ResponseSerializer):
    """The recovery codes of a new second factor, which are included only in this response."""

    recovery_codes = list_field(
        StringField(), help_text="Secret. Each replaces a code of the app once, if the device is lost."
    )


class ResetTokenSerializer(ResponseSerializer):
    """A token to set a new password, which is included only in this response."""

    reset_token = StringField(
        help_text="Secret. Send it as `token` to `/auth/password/confirm`, with a new password."
    )


class TicketSerializer(ResponseSerializer):
    """A new ticket, which is included only in this response."""

    ticket = StringField(help_text="Secret. Send it as `?ticket=`.")
    expires_at = DateTimeField()


MIN_USERNAME_LENGTH = 3
MAX_EMAIL_LENGTH = 254
MAX_CODE_LENGTH = 40


class Username(StringField):
    """A requested username."""

    schema_extra: ClassVar = {"pattern": f"^{USERNAME_PATTERN}$"}

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "Letters, digits, - and _; unique, ignoring case.")
        super().__init__(min_length=MIN_USERNAME_LENGTH, max_length=MAX_USERNAME_LENGTH, **options)


class DisplayName(StringField):
    """A display name, which may be empty."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "If empty, the username is shown.")
        super().__init__(max_length=MAX_DISPLAY_NAME_LENGTH, allow_blank=True, **options)


class Password(StringField):
    """A password; its strength is validated by the service layer."""

    schema_extra: ClassVar = {"format": "password"}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_PASSWORD_LENGTH, **options)


class GuestRequestSerializer(RequestSerializer[Any]):
    """The guest account to create."""

    defaults: ClassVar = {"display_name": ""}

    display_name = DisplayName(required=False)


class RegisterRequestSerializer(RequestSerializer[Any]):
    """The username, password and optional email address of a new account."""

    username = Username()
    password = Password()
    email = EmailField(
        max_length=MAX_EMAIL_LENGTH,
        required=False,
        help_text="A confirmation mail is sent to it. If omitted, the account has no address.",
    )


class CodeField(StringField):
    """A code of an authenticator app, or a recovery code."""

    def __init__(self, **options: Any) -> None:
        options.setdefault(
            "help_text",
            "A code of the authenticator app, or a recovery code. It can be omitted without a second factor.",
        )
        super().__init__(max_length=MAX_CODE_LENGTH, required=False, **options)


class LogInRequestSerializer(RequestSerializer[Any]):
    """A username, a password and the code of a second factor, without any check of their format."""

    username = StringField(max_length=150)
    password = Password()
    code = CodeField()


class ReauthenticateRequestSerializer(RequestSerializer[Any]):
    """The password of the caller and the code of a second factor."""

    password = Password()
    code = CodeField()


class CodeRequestSerializer(RequestSerializer[Any]):
    """Nothing to start the set-up of a second factor, a code to complete it."""

    code = CodeField(
        help_text="A code that the app computes from the new key. If omitted, the response is a new key."
    )


class ResetRequestSerializer(RequestSerializer[Any]):
    """The account, identified by its username, its email address or both; either can be omitted."""

    schema_extra: ClassVar = {"minProperties": 1}

    username = StringField(max_length=150, required=False)
    email = EmailField(max_length=MAX_EMAIL_LENGTH, required=False)

    @classmethod
    def requires_body(cls) -> bool:
        """Return `True`, because at least one of the fields is required."""
        return True

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Require at least one of the fields."""
        if not attrs:
            raise serializers.ValidationError({"email": ["missing"]}, code="required")
        return attrs


class NewPasswordRequestSerializer(RequestSerializer[Any]):
    """A new password and the token of a reset mail."""

    token = StringField(max_length=200)
    password = Password()
    code = CodeField()


class TokenOnlyRequestSerializer(RequestSerializer[Any]):
    """The token of a confirmation mail."""

    token = StringField(max_length=200)


class ChangePasswordRequestSerializer(RequestSerializer[Any]):
    """The current password and the new one."""

    current_password = Password()
    password = Password()


class NotificationsRequestSerializer(RequestSerializer[Any]):
    """What to be notified of, by channel; omitted channels stay unchanged."""

    email = list_field(notice(), max_length=len(NOTICE_KINDS), required=False, help_text="Sent immediately.")
    digest = list_field(
        notice(), max_length=len(NOTICE_KINDS), required=False, help_text="Collected in one mail a day."
    )
    push = list_field(notice(), max_length=len(NOTICE_KINDS), required=False)


class ProfileRequestSerializer(RequestSerializer[ProfileChanges]):
    """The fields to change; omitted fields stay unchanged."""

    display_name = DisplayName(required=False)
    email = EmailField(max_length=MAX_EMAIL_LENGTH, required=False, allow_null=True)
    time_zone = StringField(
        max_length=64, required=False, help_text="A name of the tz database, such as `Europe/London`."
    )
    language = language_code(
        required=False, allow_null=True, help_text="The language of mails and push messages."
    )
    notifications = NotificationsRequestSerializer(required=False)
    show_online = StrictBooleanField(
        required=False, help_text="Whether others can see that you have an open stream."
    )


class TokenRequestSerializer(RequestSerializer[Any]):
    """The token to create."""

    name = StringField(max_length=MAX_TOKEN_NAME_LENGTH)
    scopes = list_field(
        scope(), min_length=1, max_length=10, help_text="Only scopes that your current token has."
    )
    expires_at = DateTimeField(
        required=False, allow_null=True, help_text="If omitted or null, the token does not expire."
    )


class BotRequestSerializer(RequestSerializer[Any]):
    """The bot to create."""

    defaults: ClassVar = {"display_name": ""}

    username = Username()
    display_name = DisplayName(required=False)


class ChallengesRequestSerializer(RequestSerializer[Any]):
    """Which invitations a bot accepts; it replaces what was declared before."""

    rulesets = list_field(
        StringField(max_length=32), max_length=20, help_text="Keys of rule sets; empty: all of them."
    )
    players = list_field(
        IntegerField(min_value=2, max_value=3), min_length=1, max_length=2, help_text="Numbers of players."
    )
    min_turn_seconds = IntegerField(
        min_value=0, max_value=MAX_TURN_SECONDS, allow_null=True, help_text="Null: any time."
    )
    max_turn_seconds = IntegerField(
        min_value=0, max_value=MAX_TURN_SECONDS, allow_null=True, help_text="Null: any time."
    )
    without_clock = StrictBooleanField(help_text="Whether it accepts matches without a clock.")
    opponents = opponents()
    rated = StrictBooleanField(help_text="Whether it accepts rated matches.")
    at_once = IntegerField(
        min_value=1,
        max_value=MAX_AT_ONCE,
        help_text="How many matches it plays at once at most, those that it joins or creates included.",
    )
    auto_accept = StrictBooleanField(help_text="Whether it takes its seat as soon as it is invited.")


class BotChangesRequestSerializer(RequestSerializer[BotChanges]):
    """The fields to change; omitted fields stay unchanged."""

    display_name = DisplayName(required=False)
    challenges = ChallengesRequestSerializer(
        required=False,
        allow_null=True,
        help_text="Which invitations it accepts; null: anyone can invite it to anything, as at first.",
    )
