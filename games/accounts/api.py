"""Endpoints for signing in, passwords, tokens, bots and profiles."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations
from games.accounts.serializers import (
    BotShape,
    ChangePasswordShape,
    GuestShape,
    LogInShape,
    NewPasswordShape,
    RegisterShape,
    ResetShape,
    TokenOnlyShape,
    TokenShape,
)
from games.accounts.services import credentials, sign_in
from games.api.auth import ANYONE, SIGNED_IN, Needs, signed_in, token_of
from games.api.idempotency import never_kept
from games.api.pagination import Order, page
from games.api.schema.operations import Operation
from games.api.serializers import EmptyShape
from games.api.views import ApiView, done, entered, secret_answer
from games.core.addresses import address_of
from games.core.times import rfc3339
from games.identity import services as identity_services
from games.identity.models import Scope
from games.identity.queries import bots_of, player_form, profile_form, public_player, token_form, tokens_of
from games.identity.services import create_token, delete_token


class GuestView(ApiView):
    """Play at once."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ENTER_AS_GUEST}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @never_kept
    def post(self, request: Request) -> Response:
        """Make a guest, with a token."""
        return entered(sign_in.enter_as_guest(**self.read(GuestShape)))


class RegisterView(ApiView):
    """Make an account."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REGISTER}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @never_kept
    def post(self, request: Request) -> Response:
        """Make an account, with a token."""
        return entered(sign_in.register(**self.read(RegisterShape)))


class ClaimView(ApiView):
    """Keep a guest's account."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CLAIM_ACCOUNT}

    @never_kept
    def post(self, request: Request) -> Response:
        """Give the guest a name and a password. The token stays as it is."""
        player = sign_in.claim(guest=signed_in(request), **self.read(RegisterShape))
        return Response({"player": player_form(player)})


class TokenView(ApiView):
    """Log in and out."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE, "DELETE": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LOG_IN, "DELETE": operations.LOG_OUT}

    @never_kept
    def post(self, request: Request) -> Response:
        """Log in."""
        return entered(sign_in.log_in(address=address_of(request), **self.read(LogInShape)))

    def delete(self, request: Request) -> Response:
        """Log out: the token that was shown is revoked."""
        identity_services.revoke_token(token=token_of(request))
        return done()


class TicketView(ApiView):
    """Tickets for browsers, which cannot show a token where they open a stream."""

    access: ClassVar[dict[str, Needs]] = {"POST": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ISSUE_TICKET}

    @never_kept
    def post(self, request: Request) -> Response:
        """Give a ticket that opens one stream, within a minute, as whoever asks."""
        self.read(EmptyShape)
        ticket = credentials.issue_ticket(token=token_of(request))
        return secret_answer({"ticket": ticket.secret, "expires_at": rfc3339(ticket.expires_at)})


class PasswordResetView(ApiView):
    """A forgotten password."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_PASSWORD_RESET}
    limits: ClassVar[dict[str, str]] = {"POST": "mails"}

    @never_kept
    def post(self, request: Request) -> Response:
        """Send a mail if there is such an account with a confirmed address; the answer is the same if not."""
        credentials.ask_for_password_reset(**self.read(ResetShape))
        return done()


class PasswordConfirmView(ApiView):
    """A new password for a forgotten one."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESET_PASSWORD}

    @never_kept
    def post(self, request: Request) -> Response:
        """Take the new password; every token of the account is revoked."""
        credentials.reset_password(**self.read(NewPasswordShape))
        return done()


class EmailConfirmView(ApiView):
    """An address that is one's own."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CONFIRM_EMAIL}

    @never_kept
    def post(self, request: Request) -> Response:
        """Believe the address."""
        credentials.confirm_email(**self.read(TokenOnlyShape))
        return done()


class PasswordView(ApiView):
    """Another password."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHANGE_PASSWORD}

    @never_kept
    def post(self, request: Request) -> Response:
        """Change the password; every other token of the account is revoked."""
        credentials.change_password(
            player=signed_in(request),
            token=token_of(request),
            address=address_of(request),
            **self.read(ChangePasswordShape),
        )
        return done()


class PlayerView(ApiView):
    """Anybody."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PLAYER}

    def get(self, request: Request, username: str) -> Response:
        """Show their public profile."""
        return Response(profile_form(public_player(username)))


TOKEN_ORDER: Final = Order(column="created", holds=datetime, key="public_id", key_holds=str)


class TokensView(ApiView):
    """All of them."""

    access: ClassVar[dict[str, Needs]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_TOKENS,
        "POST": operations.CREATE_TOKEN,
    }

    def get(self, request: Request) -> Response:
        """List them, the newest first, those made by logging in as well."""
        current = token_of(request)
        rows = tokens_of(signed_in(request))
        return Response(
            page(request, rows, order=TOKEN_ORDER, show=lambda token: token_form(token, current=current))
        )

    @never_kept
    def post(self, request: Request) -> Response:
        """Make one, which reaches no further than the one that was shown. Its secret is shown only now."""
        asked = self.read(TokenShape)
        new = create_token(
            player=signed_in(request),
            name=asked["name"],
            scopes=[Scope(scope) for scope in asked["scopes"]],
            granted=token_of(request).reach,
            expires_at=asked.get("expires_at"),
        )
        return secret_answer({"token": new.secret, **token_form(new.token)})


class OneTokenView(ApiView):
    """One of them."""

    access: ClassVar[dict[str, Needs]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.DELETE_TOKEN}

    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke it."""
        delete_token(player=signed_in(request), public_id=token_id)
        return done()


BOT_ORDER: Final = Order(column="date_joined", holds=datetime)


class BotsView(ApiView):
    """All of one's own."""

    access: ClassVar[dict[str, Needs]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_BOTS, "POST": operations.CREATE_BOT}

    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        return Response(page(request, bots_of(signed_in(request)), order=BOT_ORDER, show=profile_form))

    @never_kept
    def post(self, request: Request) -> Response:
        """Make one, with its token."""
        return entered(sign_in.create_bot(owner=signed_in(request), **self.read(BotShape)))


class BotTokenView(ApiView):
    """The token of one of them."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RENEW_BOT_TOKEN}

    @never_kept
    def post(self, request: Request, username: str) -> Response:
        """Make a new one in place of those that it had."""
        self.read(EmptyShape)
        return entered(sign_in.renew_bot_token(owner=signed_in(request), username=username))
