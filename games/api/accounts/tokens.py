"""`/me/tokens`: tokens for programs that one uses oneself."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.accounts import operations
from games.api.accounts.answers import done, secret_answer
from games.api.accounts.shapes import TokenShape
from games.api.authentication import signed_in, token_of
from games.api.idempotency import never_kept
from games.api.paging import Order, page
from games.api.permissions import Needs
from games.api.schema.operation import Operation
from games.api.view import ApiView
from games.models import Scope
from games.selectors.players import token_form, tokens_of
from games.services.accounts.tokens import create_token, delete_token

ORDER: Final = Order(column="created", holds=datetime, key="public_id", key_holds=str)


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
            page(request, rows, order=ORDER, show=lambda token: token_form(token, current=current))
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
