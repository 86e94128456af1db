"""Every request counts: for its player, or for its address where no token is shown."""

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.addresses import address_of
from games.api.events.door import door_of
from games.api.limits import Count, count
from games.errors import Problem
from games.models import Player


class Limited(BaseThrottle):
    """Refuse by raising, so that the answer says when to come again."""

    def allow_request(self, request: Request, view: object) -> bool:
        """Count the request, for its kind of request too where the view names one.

        A long poll that the server asks again is still the one request.
        """
        door = door_of(request)
        if door is not None and door.again:
            return True
        _hold(request, _count_asker(request))
        named: dict[str, str] = getattr(view, "limits", {})
        if request.method in named:
            _hold(request, count(named[request.method], f"a{address_of(request)}"))
        return True


def _count_asker(request: Request) -> Count | None:
    try:
        user = request.user
    except Problem:
        _hold(request, count("refused", f"a{address_of(request)}"))
        raise
    if isinstance(user, Player):
        return count("player", f"p{user.pk}")
    return count("address", f"a{address_of(request)}")


def _hold(request: Request, counted: Count | None) -> None:
    """Refuse what is too much; tell of what is left in any case."""
    if counted is None:
        return
    request.limit_headers = counted.headers  # type: ignore[attr-defined]  # read again by ApiView.finalize_response
    if counted.is_over:
        raise Problem("rate_limited", retry_after=counted.ends_in)
