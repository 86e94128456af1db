"""`/me`: one's own profile, and `/players/{username}`: anybody's."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.accounts import operations
from games.api.accounts.answers import done
from games.api.accounts.shapes import ProfileShape
from games.api.authentication import signed_in, token_of
from games.api.permissions import ANYONE, SIGNED_IN, Needs
from games.api.schema.operation import Operation
from games.api.view import ApiView
from games.models import Scope
from games.selectors.players import me_form, profile_form, public_player
from games.services.accounts.profile import change_profile, delete_account


class MeView(ApiView):
    """Whoever asks."""

    access: ClassVar[dict[str, Needs]] = {
        "GET": SIGNED_IN,
        "PATCH": Scope.ACCOUNT_WRITE,
        "DELETE": Scope.ACCOUNT_WRITE,
    }
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.READ_ME,
        "PATCH": operations.CHANGE_ME,
        "DELETE": operations.DELETE_ME,
    }

    def get(self, request: Request) -> Response:
        """Tell them who they are; the address only with the scope `account:write`."""
        whole = Scope.ACCOUNT_WRITE in token_of(request).reach
        return Response(me_form(signed_in(request), whole=whole))

    def patch(self, request: Request) -> Response:
        """Change what is given."""
        changed = change_profile(player=signed_in(request), changes=self.read(ProfileShape))
        return Response(me_form(changed, whole=True))

    def delete(self, request: Request) -> Response:
        """Delete the account. The matches stay, the name in them does not."""
        delete_account(player=signed_in(request))
        return done()


class PlayerView(ApiView):
    """Anybody."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PLAYER}

    def get(self, request: Request, username: str) -> Response:
        """Show their public profile."""
        return Response(profile_form(public_player(username)))
