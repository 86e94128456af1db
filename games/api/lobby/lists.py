"""Matches a page at a time."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import signed_in, viewer
from games.api.paging import Order, page
from games.api.parameters import choice_parameter, flag_parameter, text_parameter
from games.api.permissions import ANYONE, Needs
from games.api.view import ApiView
from games.errors import Problem
from games.gateway.agreement import rule_set_keys
from games.models import MatchStatus, Scope
from games.selectors.lobby import (
    Wish,
    invitation_form,
    invitations,
    list_form,
    matches_of,
    my_list_form,
    player_named,
    public_matches,
    running_matches,
)
from games.selectors.matches import MatchRow, as_row

NEWEST_FIRST: Final = "-created_at"
ORDERINGS: Final = (NEWEST_FIRST, "created_at")
_MOST_URGENT_FIRST: Final = Order(column="urgency", holds=datetime, key_holds=str, descending=False)
READ: Final = (Scope.MATCHES_READ, Scope.MATCHES_PLAY, Scope.BOT_PLAY)


def public_list(request: Request) -> Response:
    """The lobby: what anybody may find, or the matches of one player."""
    name = text_parameter(request, "player")
    if name is None:
        return _listed(request, public_matches(_wish(request)))
    return _of_player(request, name)


def _of_player(request: Request, name: str) -> Response:
    asking = viewer(request)
    if name == "me" and asking is None:
        raise Problem("not_authenticated", "Without a token nobody is `me`.")
    player = asking if name == "me" and asking is not None else player_named(name)
    return _listed(request, matches_of(player, asking, _wish(request)))


def _wish(request: Request) -> Wish:
    return Wish(
        status=choice_parameter(request, "status", MatchStatus.values),
        ruleset=choice_parameter(request, "ruleset", rule_set_keys()),
        open_seats=flag_parameter(request, "open_seats"),
    )


def _listed(request: Request, matches: QuerySet[Any]) -> Response:
    ordering = choice_parameter(request, "ordering", ORDERINGS) or NEWEST_FIRST
    order = Order(column="created_at", holds=datetime, key_holds=str, descending=ordering.startswith("-"))
    return _pages(request, matches, order, list_form)


def _pages(
    request: Request, matches: QuerySet[Any], order: Order, form: Callable[[MatchRow], dict[str, Any]]
) -> Response:
    return Response(page(request, matches, order=order, show=lambda match: form(as_row(match))))


class PlayersMatchesView(ApiView):
    """The matches of one player."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}

    def get(self, request: Request, username: str) -> Response:
        """List the public ones; to the player all of them."""
        return _of_player(request, username)


class MyMatchesView(ApiView):
    """The matches one sits in."""

    access: ClassVar[dict[str, Needs]] = {"GET": READ}

    def get(self, request: Request) -> Response:
        """List those that are not over, most urgent first."""
        player = signed_in(request)
        matches = running_matches(player)
        return _pages(request, matches, _MOST_URGENT_FIRST, lambda row: my_list_form(row, player))


class MyInvitationsView(ApiView):
    """The matches one is asked to play in."""

    access: ClassVar[dict[str, Needs]] = {"GET": READ}

    def get(self, request: Request) -> Response:
        """List them, the latest first."""
        player = signed_in(request)
        order = Order(column="created_at", holds=datetime, key_holds=str)
        return _pages(request, invitations(player), order, lambda row: invitation_form(row, player))
