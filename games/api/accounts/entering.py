"""`/auth`: ways to a token, and out again."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.addresses import address_of
from games.api.accounts import operations
from games.api.accounts.answers import done, entered, secret_answer
from games.api.accounts.shapes import GuestShape, LogInShape, RegisterShape
from games.api.authentication import signed_in, token_of
from games.api.idempotency import never_kept
from games.api.permissions import ANYONE, SIGNED_IN, Needs
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.view import ApiView
from games.models import Scope
from games.selectors.players import player_form
from games.services.accounts import entering, tickets, tokens
from games.times import rfc3339


class GuestView(ApiView):
    """Play at once."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ENTER_AS_GUEST}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @never_kept
    def post(self, request: Request) -> Response:
        """Make a guest, with a token."""
        return entered(entering.enter_as_guest(**self.read(GuestShape)))


class RegisterView(ApiView):
    """Make an account."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REGISTER}
    limits: ClassVar[dict[str, str]] = {"POST": "accounts"}

    @never_kept
    def post(self, request: Request) -> Response:
        """Make an account, with a token."""
        return entered(entering.register(**self.read(RegisterShape)))


class ClaimView(ApiView):
    """Keep a guest's account."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CLAIM_ACCOUNT}

    @never_kept
    def post(self, request: Request) -> Response:
        """Give the guest a name and a password. The token stays as it is."""
        player = entering.claim(guest=signed_in(request), **self.read(RegisterShape))
        return Response({"player": player_form(player)})


class TokenView(ApiView):
    """Log in and out."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE, "DELETE": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LOG_IN, "DELETE": operations.LOG_OUT}

    @never_kept
    def post(self, request: Request) -> Response:
        """Log in."""
        return entered(entering.log_in(address=address_of(request), **self.read(LogInShape)))

    def delete(self, request: Request) -> Response:
        """Log out: the token that was shown is revoked."""
        tokens.revoke_token(token=token_of(request))
        return done()


class TicketView(ApiView):
    """Tickets for browsers, which cannot show a token where they open a stream."""

    access: ClassVar[dict[str, Needs]] = {"POST": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ISSUE_TICKET}

    @never_kept
    def post(self, request: Request) -> Response:
        """Give a ticket that opens one stream, within a minute, as whoever asks."""
        self.read(EmptyShape)
        ticket = tickets.issue_ticket(token=token_of(request))
        return secret_answer({"ticket": ticket.secret, "expires_at": rfc3339(ticket.expires_at)})
