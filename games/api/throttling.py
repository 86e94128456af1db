"""Rate limits for each player, or for each client address without a token."""

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.api.auth import require_token
from games.api.long_polling import LONG_POLL_KEY, LongPollContext
from games.core.addresses import client_address
from games.core.errors import Problem
from games.core.rate_limits import RateLimitState, count_request, refund_request
from games.identity.models import Player, PlayerKind

if TYPE_CHECKING:
    from rest_framework.views import APIView


class RateThrottle(BaseThrottle):
    """Raise `rate_limited`, so that the response says when to retry."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count the request against the limit of its caller, and against the limit that the view names.

        A long poll is counted once, however often the server calls its view.
        """
        long_poll: LongPollContext | None = request.META.get(LONG_POLL_KEY)
        if long_poll is not None and long_poll.is_retry:
            return True
        _apply(view, _count_caller(request, view))
        named: dict[str, str] = getattr(view, "limits", {})
        if request.method in named:
            _apply(view, count_request(named[request.method], f"a{client_address(request)}"))
        per_player: dict[str, str] = getattr(view, "player_limits", {})
        if request.method in per_player and isinstance(request.user, Player):
            limit_player(view, per_player[request.method], request.user)
        return True


def limit_player(view: "APIView", name: str, player: Player) -> None:
    """Count a request against a limit that a player and their bots share; raise if it is exceeded."""
    _apply(view, count_request(name, account_key(player)))


def account_key(player: Player) -> str:
    """Return the key of the counters that a player shares with their bots."""
    return f"p{player.owner_id or player.pk}"


def caller_limit(request: Request, view: object = None) -> tuple[str, str]:
    """Return the name of the limit that counts every request of a caller, and the key of the caller."""
    user = request.user
    if not isinstance(user, Player):
        return "address", f"a{client_address(request)}"
    revoking: frozenset[str] = getattr(view, "revoking_methods", frozenset())
    if request.method in revoking:
        return "revocations", f"t{require_token(request).digest}"
    if user.kind == PlayerKind.BOT:
        return "bots", account_key(user)
    return "player", f"p{user.pk}"


def _count_caller(request: Request, view: "APIView") -> RateLimitState | None:
    try:
        name, client = caller_limit(request, view)
    except Problem:
        _apply(view, count_request("refused", f"a{client_address(request)}"))
        raise
    return count_request(name, client)


def refund_unmodified(request: Request) -> None:
    """Let a request that was answered with 304 cost a tenth of one. A long poll was counted once only."""
    long_poll: LongPollContext | None = request.META.get(LONG_POLL_KEY)
    if long_poll is None or not long_poll.is_retry:
        refund_request(*caller_limit(request))


def _apply(view: "APIView", counted: RateLimitState | None) -> None:
    """Add the rate limit headers to the response, and raise if the limit is exceeded."""
    if counted is None:
        return
    view.headers |= counted.headers
    if counted.is_exceeded:
        raise Problem("rate_limited", retry_after=counted.seconds_left)
