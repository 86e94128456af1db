"""Passwords and addresses."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.addresses import address_of
from games.api.accounts import operations
from games.api.accounts.answers import done
from games.api.accounts.shapes import ChangePasswordShape, NewPasswordShape, ResetShape, TokenOnlyShape
from games.api.authentication import signed_in, token_of
from games.api.idempotency import never_kept
from games.api.permissions import ANYONE, Needs
from games.api.schema.operation import Operation
from games.api.view import ApiView
from games.models import Scope
from games.services.accounts import passwords, recovery


class PasswordResetView(ApiView):
    """A forgotten password."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_PASSWORD_RESET}
    limits: ClassVar[dict[str, str]] = {"POST": "mails"}

    @never_kept
    def post(self, request: Request) -> Response:
        """Send a mail if there is such an account with a confirmed address; the answer is the same if not."""
        recovery.ask_for_password_reset(**self.read(ResetShape))
        return done()


class PasswordConfirmView(ApiView):
    """A new password for a forgotten one."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESET_PASSWORD}

    @never_kept
    def post(self, request: Request) -> Response:
        """Take the new password; every token of the account is revoked."""
        recovery.reset_password(**self.read(NewPasswordShape))
        return done()


class EmailConfirmView(ApiView):
    """An address that is one's own."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CONFIRM_EMAIL}

    @never_kept
    def post(self, request: Request) -> Response:
        """Believe the address."""
        recovery.confirm_email(**self.read(TokenOnlyShape))
        return done()


class PasswordView(ApiView):
    """Another password."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHANGE_PASSWORD}

    @never_kept
    def post(self, request: Request) -> Response:
        """Change the password; every other token of the account is revoked."""
        passwords.change_password(
            player=signed_in(request),
            token=token_of(request),
            address=address_of(request),
            **self.read(ChangePasswordShape),
        )
        return done()
