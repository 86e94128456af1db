"""OpenAPI operations of the account endpoints."""

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

_PLAYER_LINKS: Final = (Link("readPlayer", {"username": "$response.body#/player/username"}),)

ENTER_AS_GUEST: Final = Operation(
    id="enterAsGuest",
    summary="Play at once, as a guest",
    description=(
        "Creates an account without a password. Its token expires 365 days after its last use and is the "
        "only credential of the guest: a guest who loses it loses the account, unless it has been claimed."
    ),
    tag=ACCOUNTS,
    body=serializers.GuestRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    location="/api/v1/me",
    problems=("address_blocked",),
    links=_PLAYER_LINKS,
)
CLAIM_ACCOUNT: Final = Operation(
    id="claimAccount",
    summary="Claim a guest account",
    description=(
        "Gives a guest a username and a password. Tokens and matches are preserved. It needs the token that "
        "the guest got first, not one created for a program."
    ),
    tag=ACCOUNTS,
    body=serializers.RegisterRequestSerializer,
    answers={OK: serializers.ClaimedSerializer},
    problems=("username_taken", "already_claimed", "not_allowed", "reauthentication_required"),
)
REGISTER: Final = Operation(
    id="register",
    summary="Create an account",
    description="Creates an account and its first token, which expires 90 days after its last use.",
    tag=ACCOUNTS,
    body=serializers.RegisterRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    location="/api/v1/me",
    problems=("username_taken",),
    links=_PLAYER_LINKS,
)
LOG_IN: Final = Operation(
    id="logIn",
    summary="Log in",
    description=(
        "Creates a token for a username and password. If the account has a second factor, the response is "
        "`second_factor_required` until `code` is valid; a code is accepted once. After too many failed "
        "attempts on an account or from an address, the response is `rate_limited` for a while. A correct "
        "password is always accepted from an address from which it has worked before. For ten minutes the "
        "token is fresh: it can make changes for which others need `reauthenticate`."
    ),
    tag=ACCOUNTS,
    body=serializers.LogInRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    location="/api/v1/me",
    problems=("invalid_credentials", "second_factor_required", "account_banned", "account_suspended"),
    links=_PLAYER_LINKS,
)
LOG_OUT: Final = Operation(
    id="logOut",
    summary="Log out",
    description="Revokes the token that authenticates the request, and no other.",
    tag=ACCOUNTS,
    answers={NO_CONTENT: None},
)
ISSUE_TICKET: Final = Operation(
    id="issueTicket",
    summary="Issue a ticket for one stream",
    description=(
        "For browsers, which cannot send an `Authorization` header when they open a stream: append the "
        "ticket to the URL as `?ticket=`. It is valid once and expires after 60 seconds."
    ),
    tag=EVENTS,
    body=EmptyRequestSerializer,
    answers={CREATED: serializers.TicketSerializer},
    location="/api/v1/me/events",
    links=(Link("followMyTables", {"ticket": "$response.body#/ticket"}),),
)
ASK_FOR_PASSWORD_RESET: Final = Operation(
    id="askForPasswordReset",
    summary="Request a password reset",
    description=(
        "Sends a mail with a token if the account exists and its address is confirmed. The response is the "
        "same if not."
    ),
    tag=ACCOUNTS,
    body=serializers.ResetRequestSerializer,
    answers={NO_CONTENT: None},
)
RESET_PASSWORD: Final = Operation(
    id="resetPassword",
    summary="Reset a password",
    description=(
        "Sets a new password with the token of a reset mail, which is valid once and expires after a day. "
        "All API tokens of the account are revoked: log in again. An account with a second factor needs a "
        "`code` too."
    ),
    tag=ACCOUNTS,
    body=serializers.NewPasswordRequestSerializer,
    answers={NO_CONTENT: None},
    problems=("second_factor_required",),
)
CONFIRM_EMAIL: Final = Operation(
    id="confirmEmail",
    summary="Confirm an email address",
    description="Confirms the address with the token of a mail. From then on, mail is sent to this address.",
    tag=ACCOUNTS,
    body=serializers.TokenOnlyRequestSerializer,
    answers={NO_CONTENT: None},
)
UNDO_EMAIL_CHANGE: Final = Operation(
    id="undoEmailChange",
    summary="Undo a change of the email address",
    description=(
        "Restores the address with the token that was mailed to it when it was changed, or when a second "
        "factor was set up, for seven days. Removes the password, revokes every token of the account, and "
        "removes a second factor that was set up since or in the week before. The response has a token to "
        "set a new password."
    ),
    tag=ACCOUNTS,
    body=serializers.TokenOnlyRequestSerializer,
    answers={CREATED: serializers.ResetTokenSerializer},
    location="/api/v1/auth/password/confirm",
)
ACKNOWLEDGE_NOTICE: Final = Operation(
    id="acknowledgeNotice",
    summary="Acknowledge a message of the operators",
    description="`GET /me` lists it among `notices` until then. Doing it again changes nothing.",
    tag=PROFILE,
    body=EmptyRequestSerializer,
    answers={NO_CONTENT: None},
)
REAUTHENTICATE: Final = Operation(
    id="reauthenticate",
    summary="Enter your password again",
    description=(
        "Makes a token from logging in fresh for ten minutes. A new token from logging in is fresh, others "
        "never are. Only fresh tokens can delete the account, change its address, password or second factor, "
        "create tokens and create or delete bots; the response is `reauthentication_required` otherwise."
    ),
    tag=PROFILE,
    body=serializers.ReauthenticateRequestSerializer,
    answers={OK: serializers.FreshSerializer},
    problems=("second_factor_required", "not_allowed"),
)
READ_SECOND_FACTOR: Final = Operation(
    id="readSecondFactor",
    summary="Read whether you have a second factor",
    description="With a second factor, logging in needs a code of an authenticator app.",
    tag=PROFILE,
    answers={OK: serializers.SecondFactorSerializer},
)
SET_UP_SECOND_FACTOR: Final = Operation(
    id="setUpSecondFactor",
    summary="Set up a second factor",
    description=(
        "Without `code` it returns a new key for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). "
        "The second factor counts once you send a `code` of it; that response has the recovery codes. Both "
        "are shown only once. Needs a fresh token."
    ),
    tag=PROFILE,
    body=serializers.CodeRequestSerializer,
    answers={CREATED: serializers.EnrolmentSerializer, OK: serializers.NewSecondFactorSerializer},
    location="/api/v1/me/second-factor",
    problems=("second_factor_exists", "reauthentication_required", "not_allowed"),
)
REMOVE_SECOND_FACTOR: Final = Operation(
    id="removeSecondFactor",
    summary="Remove your second factor",
    description="Removes the recovery codes as well. Needs a fresh token.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
    problems=("reauthentication_required",),
)
LIST_SESSIONS: Final = Operation(
    id="listSessions",
    summary="List the devices on which you are logged in",
    description="The tokens from logging in, newest first. Needs such a token.",
    tag=PROFILE,
    answers={OK: Page(serializers.SessionSerializer)},
    problems=("not_allowed",),
    links=(Link("endSession", {"session_id": "$response.body#/results/0/id"}),),
)
END_OTHER_SESSIONS: Final = Operation(
    id="endOtherSessions",
    summary="Log out on all other devices",
    description=(
        "Revokes every token from logging in except the one that makes the request. Needs a token from "
        "logging in."
    ),
    tag=PROFILE,
    answers={NO_CONTENT: None},
    problems=("not_allowed",),
)
END_SESSION: Final = Operation(
    id="endSession",
    summary="Log out on one device",
    description="Revokes the token from logging in that the device holds. Needs a token from logging in.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
    problems=("not_allowed",),
)
CHANGE_PASSWORD: Final = Operation(
    id="changePassword",
    summary="Change your password",
    description=(
        "Revokes all tokens of the account except the one that authenticates the request. Needs a fresh "
        "token."
    ),
    tag=PROFILE,
    body=serializers.ChangePasswordRequestSerializer,
    answers={NO_CONTENT: None},
    problems=("not_allowed", "reauthentication_required"),
)
READ_ME: Final = Operation(
    id="readMe",
    summary="Read your profile",
    description=(
        "The account that the token belongs to. The email address is included only with the scope "
        "`account:write`."
    ),
    tag=PROFILE,
    answers={OK: serializers.MeSerializer},
)
CHANGE_ME: Final = Operation(
    id="changeMe",
    summary="Change your profile",
    description=(
        "Changes only the given fields. A mail with a confirmation link is sent to a new address, and a "
        "notice with a link to undo the change to the old one. A change of the address needs a fresh token."
    ),
    tag=PROFILE,
    body=serializers.ProfileRequestSerializer,
    answers={OK: serializers.MeSerializer},
    problems=("reauthentication_required",),
)
DELETE_ME: Final = Operation(
    id="deleteMe",
    summary="Delete your account",
    description=(
        "Permanently deletes the account and its bots. Running matches are resigned and waiting ones are "
        "left. Finished matches stay, under a random name. Needs a fresh token, or that of a guest."
    ),
    tag=PROFILE,
    answers={NO_CONTENT: None},
    problems=("reauthentication_required",),
)
READ_PLAYER: Final = Operation(
    id="readPlayer",
    summary="Read a player's public profile",
    description="The fields that everybody may see, with the ratings of the player.",
    tag=PROFILE,
    answers={OK: serializers.RatedProfileSerializer},
)
LIST_TOKENS: Final = Operation(
    id="listTokens",
    summary="List your tokens",
    description=(
        "Newest first, for a token from logging in including those created by login. The secrets of tokens "
        "are not included."
    ),
    tag=PROFILE,
    answers={OK: Page(serializers.TokenSerializer)},
    links=(Link("deleteToken", {"token_id": "$response.body#/results/0/id"}),),
)
CREATE_TOKEN: Final = Operation(
    id="createToken",
    summary="Create a token for one of your programs",
    description=(
        "The new token can have only scopes that the current one has. Its secret is included only in this "
        "response. Needs a fresh token."
    ),
    tag=PROFILE,
    body=serializers.TokenRequestSerializer,
    answers={CREATED: serializers.NewTokenSerializer},
    location="/api/v1/me/tokens/{id}",
    link_values={"token_id": "/id"},
    problems=("limit_reached", "reauthentication_required"),
)
DELETE_TOKEN: Final = Operation(
    id="deleteToken",
    summary="Revoke one of your tokens",
    description=(
        "The token is rejected from then on. Only a token from logging in can revoke one from logging in."
    ),
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
LIST_BOTS: Final = Operation(
    id="listBots",
    summary="List your bots",
    description="Your accounts for programs that play by themselves, newest first.",
    tag=PROFILE,
    answers={OK: Page(serializers.ProfileSerializer)},
    links=(Link("renewBotToken", {"username": "$response.body#/results/0/username"}),),
)
CREATE_BOT: Final = Operation(
    id="createBot",
    summary="Create a bot",
    description=(
        "Creates an account for a program, with a token that can play (`bot:play`) but cannot change "
        "accounts. Needs a fresh token."
    ),
    tag=PROFILE,
    body=serializers.BotRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    location="/api/v1/players/{player[username]}",
    problems=("username_taken", "not_allowed", "limit_reached", "reauthentication_required"),
    link_values={"username": "/player/username"},
)
CHANGE_BOT: Final = Operation(
    id="changeBot",
    summary="Change one of your bots",
    description=(
        "Sets its display name, and declares which invitations it accepts. Others are refused at once with "
        "`challenge_refused`; with `auto_accept` the bot takes its seat in those that fit. Invitations that "
        "it already has stay as they are."
    ),
    tag=PROFILE,
    body=serializers.BotChangesRequestSerializer,
    answers={OK: serializers.ProfileSerializer},
)
DELETE_BOT: Final = Operation(
    id="deleteBot",
    summary="Delete one of your bots",
    description=(
        "Running matches are resigned and waiting ones are left. Finished matches stay, under a random name. "
        "Needs a fresh token."
    ),
    tag=PROFILE,
    answers={NO_CONTENT: None},
    problems=("reauthentication_required",),
)
RENEW_BOT_TOKEN: Final = Operation(
    id="renewBotToken",
    summary="Renew the token of a bot",
    description=(
        "Revokes all tokens of the bot. The new one is included only in this response. Needs a fresh token."
    ),
    tag=PROFILE,
    body=EmptyRequestSerializer,
    answers={CREATED: serializers.EnteredSerializer},
    location="/api/v1/players/{player[username]}",
    problems=("reauthentication_required",),
)
