"""Endpoints for sign-in, passwords, API tokens, bots and profiles."""

from dataclasses import asdict
from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations
from games.accounts.serializers import (
    ChangePasswordRequestSerializer,
    CodeRequestSerializer,
    GuestRequestSerializer,
    LogInRequestSerializer,
    NewPasswordRequestSerializer,
    ProfileRequestSerializer,
    ReauthenticateRequestSerializer,
    RegisterRequestSerializer,
    ResetRequestSerializer,
    TokenOnlyRequestSerializer,
    TokenRequestSerializer,
)
from games.accounts.services import credentials, second_factor, sign_in
from games.accounts.services.attempts import device_name
from games.accounts.services.notices import acknowledge_notice
from games.accounts.services.profile import change_profile
from games.accounts.services.security import undo_email_change
from games.api.auth import ANYONE, SIGNED_IN, AccessRule, require_player, require_token
from games.api.idempotency import not_idempotent
from games.api.pagination import Order, paginate
from games.api.problems import accept_language
from games.api.schema.operations import Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, no_content, secret_response, signed_in_response
from games.core.addresses import client_address, request_source
from games.core.languages import preferred_language
from games.core.times import format_time
from games.identity import services as identity_services
from games.identity.models import Scope
from games.identity.queries import (
    public_player,
    render_me,
    render_player,
    render_profile,
    render_session,
    render_token,
    sessions_of,
    tokens_of,
)
from games.identity.services import (
    create_token,
    delete_token,
    end_other_sessions,
    end_session,
    is_session,
    require_fresh,
    require_session,
)
from games.ratings.queries import ratings_of


class GuestView(ApiView):
    """Guest accounts."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ENTER_AS_GUEST}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Create a guest account and return its token."""
        body = self.validated_body(GuestRequestSerializer)
        language = preferred_language(accept_language(request))
        new = sign_in.create_guest(**body, source=request_source(request), language=language)
        return signed_in_response(new)


class RegisterView(ApiView):
    """Registration."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REGISTER}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Create an account and return its first token."""
        body = self.validated_body(RegisterRequestSerializer)
        language = preferred_language(accept_language(request))
        return signed_in_response(sign_in.register(**body, source=request_source(request), language=language))


class ClaimView(ApiView):
    """Conversion of a guest into a registered account."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CLAIM_ACCOUNT}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Set the username and password of the calling guest, whose token stays valid."""
        player = sign_in.claim_account(
            guest=require_player(request),
            token=require_token(request),
            source=request_source(request),
            **self.validated_body(RegisterRequestSerializer),
        )
        return Response({"player": render_player(player)})


class TokenView(ApiView):
    """Login and logout."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE, "DELETE": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LOG_IN, "DELETE": operations.LOG_OUT}
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"POST", "DELETE"})

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Check the credentials and return a new token."""
        return signed_in_response(
            sign_in.log_in(source=request_source(request), **self.validated_body(LogInRequestSerializer))
        )

    def delete(self, request: Request) -> Response:
        """Revoke the token that authenticates the request."""
        identity_services.revoke_token(token=require_token(request))
        return no_content()


class TicketView(ApiView):
    """Stream tickets, for browsers that cannot send an Authorization header when they open a stream."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ISSUE_TICKET}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Issue a ticket with which the caller can open one stream within a minute."""
        self.validated_body(EmptyRequestSerializer)
        ticket = credentials.issue_ticket(token=require_token(request))
        return secret_response({"ticket": ticket.secret, "expires_at": format_time(ticket.expires_at)})


class PasswordResetView(ApiView):
    """Requests for a password reset."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_PASSWORD_RESET}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Send a reset mail if the account exists and its address is confirmed.

        The response is always the same, so that it does not reveal which accounts exist.
        """
        body = self.validated_body(ResetRequestSerializer)
        credentials.ask_for_password_reset(**body, address=client_address(request))
        return no_content()


class PasswordConfirmView(ApiView):
    """Password resets."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESET_PASSWORD}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Set the new password and revoke all tokens of the account."""
        body = self.validated_body(NewPasswordRequestSerializer)
        credentials.reset_password(**body, source=request_source(request))
        return no_content()


class EmailConfirmView(ApiView):
    """Confirmation of email addresses."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CONFIRM_EMAIL}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Mark the email address as confirmed."""
        credentials.confirm_email(**self.validated_body(TokenOnlyRequestSerializer))
        return no_content()


class EmailUndoView(ApiView):
    """Reversal of changes of the email address."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.UNDO_EMAIL_CHANGE}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Restore the address, log everybody out and return a token to set a new password."""
        token = undo_email_change(**self.validated_body(TokenOnlyRequestSerializer))
        return secret_response({"reset_token": token})


class ReauthenticateView(ApiView):
    """Re-authentication with the password."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REAUTHENTICATE}

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Check the password and make the session fresh."""
        fresh_until = sign_in.reauthenticate(
            player=require_player(request),
            token=require_token(request),
            source=request_source(request),
            **self.validated_body(ReauthenticateRequestSerializer),
        )
        return Response({"fresh_until": format_time(fresh_until)})


class SecondFactorView(ApiView):
    """The caller's second factor."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {
        "GET": Scope.ACCOUNT_WRITE,
        "POST": Scope.ACCOUNT_WRITE,
        "DELETE": Scope.ACCOUNT_WRITE,
    }
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.READ_SECOND_FACTOR,
        "POST": operations.SET_UP_SECOND_FACTOR,
        "DELETE": operations.REMOVE_SECOND_FACTOR,
    }

    def get(self, request: Request) -> Response:
        """Return whether there is a second factor, and how many recovery codes are left."""
        player = require_player(request)
        factor = second_factor.find_second_factor(player)
        return Response(
            {
                "enabled": factor is not None,
                "confirmed_at": None if factor is None else format_time(factor.confirmed_at),
                "recovery_codes_left": second_factor.recovery_codes_left(player),
            }
        )

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Return a new key, or with a code of it let the second factor count and return recovery codes."""
        code = self.validated_body(CodeRequestSerializer).get("code")
        player = require_player(request)
        require_fresh(token=require_token(request))
        if code is None:
            enrolment = second_factor.start_enrolment(player=player)
            qr_code = asdict(enrolment.qr_code)
            return secret_response({"secret": enrolment.key, "uri": enrolment.uri, "qr_code": qr_code})
        codes = second_factor.confirm_enrolment(player=player, code=code, address=client_address(request))
        return Response({"recovery_codes": codes}, headers={"Cache-Control": "no-store"})

    def delete(self, request: Request) -> Response:
        """Remove the second factor and its recovery codes."""
        require_fresh(token=require_token(request))
        second_factor.remove_second_factor(player=require_player(request))
        return no_content()


class PasswordView(ApiView):
    """Password changes."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHANGE_PASSWORD}
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"POST"})

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Change the password and revoke all other tokens of the account."""
        credentials.change_password(
            player=require_player(request),
            token=require_token(request),
            address=client_address(request),
            **self.validated_body(ChangePasswordRequestSerializer),
        )
        return no_content()


class MeView(ApiView):
    """The caller's account. `games/privacy` adds its deletion."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": SIGNED_IN, "PATCH": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_ME, "PATCH": operations.CHANGE_ME}

    def get(self, request: Request) -> Response:
        """Return the profile of the caller; the address is included only with the scope `account:write`."""
        whole = Scope.ACCOUNT_WRITE in require_token(request).scope_set
        return Response(render_me(require_player(request), include_email=whole))

    def patch(self, request: Request) -> Response:
        """Change the given fields of the profile."""
        changed = change_profile(
            player=require_player(request),
            changes=self.validated_body(ProfileRequestSerializer),
            token=require_token(request),
            address=client_address(request),
        )
        return Response(render_me(changed, include_email=True))


class AccountNoticeView(ApiView):
    """A message of the operators to the caller."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ACKNOWLEDGE_NOTICE}

    @not_idempotent
    def post(self, request: Request, notice_id: str) -> Response:
        """Mark the message as read."""
        self.validated_body(EmptyRequestSerializer)
        acknowledge_notice(player=require_player(request), notice_id=notice_id)
        return no_content()


class PlayerView(ApiView):
    """Public profiles."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PLAYER}

    def get(self, request: Request, username: str) -> Response:
        """Return the public profile of a player."""
        player = public_player(username)
        return Response({**render_profile(player), "ratings": ratings_of(player)})


TOKEN_ORDER: Final = Order(column="created", value_type=datetime, key="public_id", key_type=str)


class TokensView(ApiView):
    """The caller's API tokens."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_TOKENS,
        "POST": operations.CREATE_TOKEN,
    }
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"GET"})

    def get(self, request: Request) -> Response:
        """List the tokens, newest first; those created by login are listed for a session only."""
        current = require_token(request)
        rows = tokens_of(require_player(request))
        if not is_session(token=current):
            rows = rows.filter(session=False)
        return Response(
            paginate(
                request, rows, order=TOKEN_ORDER, show=lambda token: render_token(token, current=current)
            )
        )

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Create a token with at most the scopes of the current one.

        Only this response contains its secret.
        """
        data = self.validated_body(TokenRequestSerializer)
        require_fresh(token=require_token(request))
        new = create_token(
            player=require_player(request),
            name=data["name"],
            scopes=[Scope(scope) for scope in data["scopes"]],
            granted=require_token(request).scope_set,
            expires_at=data.get("expires_at"),
        )
        return secret_response({"token": new.secret, **render_token(new.token)})


class OneTokenView(ApiView):
    """One of the caller's API tokens."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.DELETE_TOKEN}
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"DELETE"})

    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke the token."""
        delete_token(player=require_player(request), token=require_token(request), public_id=token_id)
        return no_content()


class SessionsView(ApiView):
    """The devices on which the caller is logged in."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_SESSIONS,
        "DELETE": operations.END_OTHER_SESSIONS,
    }
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"GET", "DELETE"})

    def get(self, request: Request) -> Response:
        """List the sessions, newest first."""
        current = require_token(request)
        require_session(token=current)
        rows = sessions_of(require_player(request))
        return Response(
            paginate(
                request,
                rows,
                order=TOKEN_ORDER,
                show=lambda token: render_session(
                    token, current=current, device=device_name(token.user_agent)
                ),
            )
        )

    def delete(self, request: Request) -> Response:
        """End all sessions but the current one."""
        require_session(token=require_token(request))
        end_other_sessions(player=require_player(request), token=require_token(request))
        return no_content()


class OneSessionView(ApiView):
    """One of the devices on which the caller is logged in."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.END_SESSION}
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"DELETE"})

    def delete(self, request: Request, session_id: str) -> Response:
        """End the session."""
        require_session(token=require_token(request))
        end_session(player=require_player(request), public_id=session_id)
        return no_content()
