"""What a token must reach for a view, declared by the view for each of its methods.

    class TokensView(ApiView):
        access = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}

`ANYONE` needs no token, `SIGNED_IN` any token, a scope that scope, `PLAY` one of two. A method without a
declaration is a fault that stops the service at its start (`games.api.view`): none is open by forgetting it.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from games.api.authentication import token_of
from games.errors import Problem
from games.models import Scope


class Access(Enum):
    """What needs no scope."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"


Needs = Access | Scope | tuple[Scope, ...]

ANYONE: Final = Access.ANYONE
SIGNED_IN: Final = Access.SIGNED_IN
# At the table: people with their token, bots with theirs.
PLAY: Final = (Scope.MATCHES_PLAY, Scope.BOT_PLAY)


class WithinScope(BasePermission):
    """Let through what the view declares for the method, and refuse with the name of what is missing."""

    def has_permission(self, request: Request, view: object) -> bool:
        """Refuse by raising, so that the answer can say more than no."""
        access: Mapping[str, Needs] = getattr(view, "access", {})
        method = "GET" if request.method == "HEAD" else request.method or ""
        if method in access:
            check(access[method], request)
        return True  # a method that the view does not have: 405 whoever asks


def check(needs: Needs, request: Request) -> None:
    """Refuse whoever has no token, or one that does not reach that far."""
    if needs is Access.ANYONE:
        return
    token = token_of(request)
    accepted = scopes_of(needs)
    if accepted and not token.reach.intersection(accepted):
        raise Problem(
            "insufficient_scope", f"The token needs the scope {' or '.join(accepted)}.", scopes=list(accepted)
        )


def scopes_of(needs: Needs) -> tuple[Scope, ...]:
    """The scopes any one of which is enough; none for what needs none."""
    match needs:
        case Access():
            return ()
        case Scope():
            return (needs,)
        case _:
            return needs
