"""What clients are told of the routes of accounts."""

from typing import Final

from games.accounts import serializers
from games.api.schema.operations import (
    ACCOUNTS,
    CREATED,
    EVENTS,
    NO_CONTENT,
    OK,
    PROFILE,
    Link,
    Operation,
    Page,
)
from games.api.serializers import EmptyRequestSerializer

_TO_THE_PLAYER: Final = (Link("readPlayer", {"username": "$response.body#/player/username"}),)

ENTER_AS_GUEST: Final = Operation(
    id="enterAsGuest",
    summary="Play at once, as a guest",
    description=(
        "Makes an account without a password. Its token lasts 365 days from when it was last used, and is "
        "all that the guest has: whoever loses it loses the account, unless it was claimed."
    ),
    tag=ACCOUNTS,
    body=serializers.GuestRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    leads=_TO_THE_PLAYER,
)
CLAIM_ACCOUNT: Final = Operation(
    id="claimAccount",
    summary="Keep a guest's account",
    description="Gives a guest a name and a password. The token and the matches stay as they are.",
    tag=ACCOUNTS,
    body=serializers.RegisterRequestSerializer,
    answers={OK: serializers.ClaimedSerializer},
    problems=("username_taken", "already_claimed", "not_allowed"),
)
REGISTER: Final = Operation(
    id="register",
    summary="Make an account",
    description="Makes an account, with a first token that lasts 90 days from when it was last used.",
    tag=ACCOUNTS,
    body=serializers.RegisterRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    problems=("username_taken",),
    leads=_TO_THE_PLAYER,
)
LOG_IN: Final = Operation(
    id="logIn",
    summary="Log in",
    description=(
        "Gives another token for name and password. After too many failed attempts at an account, or from an "
        "address, the answer is `rate_limited` for a while, whether or not the password fits."
    ),
    tag=ACCOUNTS,
    body=serializers.LogInRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    problems=("invalid_credentials", "account_banned"),
    leads=_TO_THE_PLAYER,
)
LOG_OUT: Final = Operation(
    id="logOut",
    summary="Log out",
    description="Revokes the token that is shown, and no other.",
    tag=ACCOUNTS,
    answers={NO_CONTENT: None},
)
ISSUE_TICKET: Final = Operation(
    id="issueTicket",
    summary="A ticket that opens one stream",
    description=(
        "For browsers, which cannot show a token where they open a stream: the ticket goes into the address, "
        "as `?ticket=`, once and within 60 seconds."
    ),
    tag=EVENTS,
    body=EmptyRequestSerializer,
    answers={CREATED: serializers.TicketSerializer},
    leads=(Link("followMyTables", {"ticket": "$response.body#/ticket"}),),
)
ASK_FOR_PASSWORD_RESET: Final = Operation(
    id="askForPasswordReset",
    summary="Ask for a new password by mail",
    description=(
        "Sends a mail if there is such an account with a confirmed address. The answer is the same if there "
        "is not."
    ),
    tag=ACCOUNTS,
    body=serializers.ResetRequestSerializer,
    answers={NO_CONTENT: None},
)
RESET_PASSWORD: Final = Operation(
    id="resetPassword",
    summary="Set a new password with the token of a mail",
    description="The token works once, for a day. Every token of the account is revoked: log in anew.",
    tag=ACCOUNTS,
    body=serializers.NewPasswordRequestSerializer,
    answers={NO_CONTENT: None},
)
CONFIRM_EMAIL: Final = Operation(
    id="confirmEmail",
    summary="Confirm an address with the token of a mail",
    description="From then on mail goes to this address.",
    tag=ACCOUNTS,
    body=serializers.TokenOnlyRequestSerializer,
    answers={NO_CONTENT: None},
)
CHANGE_PASSWORD: Final = Operation(
    id="changePassword",
    summary="Change your password",
    description="Every other token of the account is revoked; the one that is shown stays.",
    tag=PROFILE,
    body=serializers.ChangePasswordRequestSerializer,
    answers={NO_CONTENT: None},
    problems=("not_allowed",),
)
READ_ME: Final = Operation(
    id="readMe",
    summary="Who you are",
    description=(
        "The account that the token belongs to. Its address is told with the scope `account:write` alone."
    ),
    tag=PROFILE,
    answers={OK: serializers.MeSerializer},
)
CHANGE_ME: Final = Operation(
    id="changeMe",
    summary="Change your profile",
    description="Changes what is given and nothing else. A new address is sent a mail, to be confirmed.",
    tag=PROFILE,
    body=serializers.ProfileRequestSerializer,
    answers={OK: serializers.MeSerializer},
)
DELETE_ME: Final = Operation(
    id="deleteMe",
    summary="Delete your account",
    description=(
        "Deletes the account and its bots, for good. Matches that run are resigned, others left. What was "
        "played stays, under a name that says nothing."
    ),
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
READ_PLAYER: Final = Operation(
    id="readPlayer",
    summary="A player's public profile",
    description="What anybody may know of a player.",
    tag=PROFILE,
    answers={OK: serializers.ProfileSerializer},
)
LIST_TOKENS: Final = Operation(
    id="listTokens",
    summary="Your tokens",
    description=(
        "The newest first, those made by logging in as well. The tokens themselves are never shown again."
    ),
    tag=PROFILE,
    answers={OK: Page(serializers.TokenSerializer)},
    leads=(Link("deleteToken", {"token_id": "$response.body#/results/0/id"}),),
)
CREATE_TOKEN: Final = Operation(
    id="createToken",
    summary="Make a token for a program of yours",
    description="It reaches no further than the one that is shown. Its secret is shown in this answer alone.",
    tag=PROFILE,
    body=serializers.TokenRequestSerializer,
    answers={CREATED: serializers.NewTokenSerializer},
    makes={"token_id": "/id"},
    problems=("limit_reached",),
)
DELETE_TOKEN: Final = Operation(
    id="deleteToken",
    summary="Revoke one of your tokens",
    description="It is refused from then on.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
LIST_BOTS: Final = Operation(
    id="listBots",
    summary="Your bots",
    description="Accounts of yours for programs that play by themselves, the newest first.",
    tag=PROFILE,
    answers={OK: Page(serializers.ProfileSerializer)},
    leads=(Link("renewBotToken", {"username": "$response.body#/results/0/username"}),),
)
CREATE_BOT: Final = Operation(
    id="createBot",
    summary="Make a bot",
    description="An account of its own, with a token that plays (`bot:play`) and changes no account.",
    tag=PROFILE,
    body=serializers.BotRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    problems=("username_taken", "not_allowed", "limit_reached"),
    makes={"username": "/player/username"},
)
DELETE_BOT: Final = Operation(
    id="deleteBot",
    summary="Delete one of your bots",
    description="It leaves or resigns its matches; what it played stays, under a name that says nothing.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
RENEW_BOT_TOKEN: Final = Operation(
    id="renewBotToken",
    summary="Give a bot a new token",
    description="Every token that it had is revoked. The new one is shown in this answer alone.",
    tag=PROFILE,
    body=EmptyRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
)
