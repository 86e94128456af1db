"""Endpoints for signing in, passwords, tokens, bots and profiles."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations
from games.accounts.serializers import (
    BotRequestSerializer,
    ChangePasswordRequestSerializer,
    GuestRequestSerializer,
    LogInRequestSerializer,
    NewPasswordRequestSerializer,
    RegisterRequestSerializer,
    ResetRequestSerializer,
    TokenOnlyRequestSerializer,
    TokenRequestSerializer,
)
from games.accounts.services import credentials, sign_in
from games.api.auth import ANYONE, SIGNED_IN, AccessRule, require_player, require_token
from games.api.idempotency import not_idempotent
from games.api.pagination import Order, paginate
from games.api.schema.operations import Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, no_content, secret_response, signed_in_response
from games.core.addresses import client_address
from games.core.times import format_time
from games.identity import services as identity_services
from games.identity.models import Scope
from games.identity.queries import (
    bots_of,
    public_player,
    render_player,
    render_profile,
    render_token,
    tokens_of,
)
from games.identity.services import create_token, delete_token


class GuestView(ApiView):
    """Play at once."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ENTER_AS_GUEST}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Make a guest, with a token."""
        return signed_in_response(sign_in.create_guest(**self.read(GuestRequestSerializer)))


class RegisterView(ApiView):
    """Make an account."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REGISTER}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Make an account, with a token."""
        return signed_in_response(sign_in.register(**self.read(RegisterRequestSerializer)))


class ClaimView(ApiView):
    """Keep a guest's account."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CLAIM_ACCOUNT}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Give the guest a name and a password. The token stays as it is."""
        player = sign_in.claim_account(guest=require_player(request), **self.read(RegisterRequestSerializer))
        return Response({"player": render_player(player)})


class TokenView(ApiView):
    """Log in and out."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE, "DELETE": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LOG_IN, "DELETE": operations.LOG_OUT}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Log in."""
        return signed_in_response(
            sign_in.log_in(address=client_address(request), **self.read(LogInRequestSerializer))
        )

    def delete(self, request: Request) -> Response:
        """Log out: the token that was shown is revoked."""
        identity_services.revoke_token(token=require_token(request))
        return no_content()


class TicketView(ApiView):
    """Tickets for browsers, which cannot show a token where they open a stream."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ISSUE_TICKET}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Give a ticket that opens one stream, within a minute, as whoever asks."""
        self.read(EmptyRequestSerializer)
        ticket = credentials.issue_ticket(token=require_token(request))
        return secret_response({"ticket": ticket.secret, "expires_at": format_time(ticket.expires_at)})


class PasswordResetView(ApiView):
    """A forgotten password."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_PASSWORD_RESET}
    limits: ClassVar[dict[str, str]] = {"POST": "mails"}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Send a mail if there is such an account with a confirmed address; the answer is the same if not."""
        credentials.ask_for_password_reset(**self.read(ResetRequestSerializer))
        return no_content()


class PasswordConfirmView(ApiView):
    """A new password for a forgotten one."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESET_PASSWORD}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Take the new password; every token of the account is revoked."""
        credentials.reset_password(**self.read(NewPasswordRequestSerializer))
        return no_content()


class EmailConfirmView(ApiView):
    """An address that is one's own."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CONFIRM_EMAIL}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Believe the address."""
        credentials.confirm_email(**self.read(TokenOnlyRequestSerializer))
        return no_content()


class PasswordView(ApiView):
    """Another password."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHANGE_PASSWORD}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Change the password; every other token of the account is revoked."""
        credentials.change_password(
            player=require_player(request),
            token=require_token(request),
            address=client_address(request),
            **self.read(ChangePasswordRequestSerializer),
        )
        return no_content()


class PlayerView(ApiView):
    """Anybody."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PLAYER}

    def get(self, request: Request, username: str) -> Response:
        """Show their public profile."""
        return Response(render_profile(public_player(username)))


TOKEN_ORDER: Final = Order(column="created", holds=datetime, key="public_id", key_holds=str)


class TokensView(ApiView):
    """All of them."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_TOKENS,
        "POST": operations.CREATE_TOKEN,
    }

    def get(self, request: Request) -> Response:
        """List them, the newest first, those made by logging in as well."""
        current = require_token(request)
        rows = tokens_of(require_player(request))
        return Response(
            paginate(
                request, rows, order=TOKEN_ORDER, show=lambda token: render_token(token, current=current)
            )
        )

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Make one, which reaches no further than the one that was shown. Its secret is shown only now."""
        asked = self.read(TokenRequestSerializer)
        new = create_token(
            player=require_player(request),
            name=asked["name"],
            scopes=[Scope(scope) for scope in asked["scopes"]],
            granted=require_token(request).scope_set,
            expires_at=asked.get("expires_at"),
        )
        return secret_response({"token": new.secret, **render_token(new.token)})


class OneTokenView(ApiView):
    """One of them."""

    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.DELETE_TOKEN}

    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke it."""
        delete_token(player=require_player(request), public_id=token_id)
        return no_content()


BOT_ORDER: Final = Order(column="date_joined", holds=datetime)


class BotsView(ApiView):
    """All of one's own."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_BOTS, "POST": operations.CREATE_BOT}

    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        return Response(
            paginate(request, bots_of(require_player(request)), order=BOT_ORDER, show=render_profile)
        )

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Make one, with its token."""
        return signed_in_response(
            sign_in.create_bot(owner=require_player(request), **self.read(BotRequestSerializer))
        )


class BotTokenView(ApiView):
    """The token of one of them."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RENEW_BOT_TOKEN}

    @not_idempotent
    def post(self, request: Request, username: str) -> Response:
        """Make a new one in place of those that it had."""
        self.read(EmptyRequestSerializer)
        return signed_in_response(sign_in.renew_bot_token(owner=require_player(request), username=username))
