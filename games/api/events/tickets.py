"""Who asks for a stream: by the header like everywhere, or by a ticket in the address, for browsers."""

from rest_framework.request import Request

from games.api.authentication import BearerToken, Credentials
from games.api.events.forms import LINES, SERVER_SENT
from games.api.parameters import text_parameter
from games.errors import Problem
from games.models import Player
from games.services.accounts.tickets import use_ticket


class TokenOrTicket(BearerToken):
    """A ticket opens a stream and nothing else, and is gone then."""

    def authenticate(self, request: Request) -> tuple[Player, Credentials] | None:
        """The player and the token, shown or stood for."""
        ticket = text_parameter(request, "ticket")
        shown = super().authenticate(request)
        if shown is not None or ticket is None or request.accepted_media_type not in {SERVER_SENT, LINES}:
            return shown
        token = use_ticket(secret=ticket) if ticket.isascii() else None
        if token is None:
            raise Problem("not_authenticated", "The ticket is unknown, used or expired.")
        return token.player, Credentials(token)
