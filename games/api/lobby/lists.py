"""Matches a page at a time."""

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import signed_in, viewer
from games.api.lobby import operations
from games.api.paging import Order, page
from games.api.parameters import choice_parameter, flag_parameter, text_parameter
from games.api.permissions import ANYONE, Needs
from games.api.schema.operation import Operation
from games.api.view import ApiView
from games.errors import Problem
from games.gateway.agreement import rule_set_keys
from games.matches.store import MatchRow, find_matches
from games.models import Match, MatchStatus, Player, Scope
from games.selectors.lobby import (
    Wish,
    invitation_form,
    invitations,
    list_form,
    matches_made_by,
    matches_of,
    my_list_form,
    player_named,
    public_matches,
    running_matches,
)

NEWEST_FIRST: Final = "-created_at"
ORDERINGS: Final = (NEWEST_FIRST, "created_at")
_MOST_URGENT_FIRST: Final = Order(column="urgency", holds=datetime, key_holds=str, descending=False)
READ: Final = (Scope.MATCHES_READ, Scope.MATCHES_PLAY, Scope.BOT_PLAY)


def public_list(request: Request) -> Response:
    """The lobby: what anybody may find, or the matches of one player."""
    name, maker = text_parameter(request, "player"), text_parameter(request, "maker")
    if name is not None:
        return _of_player(request, name)
    if maker is not None:
        return _listed(request, matches_made_by(_named(request, maker), viewer(request), _wish(request)))
    return _listed(request, public_matches(_wish(request)))


def _of_player(request: Request, name: str) -> Response:
    """The matches that somebody plays in, in the order of their ids, which is that of time."""
    matches = matches_of(_named(request, name), viewer(request), _wish(request))
    return _pages(request, matches, _order(request, "pk", str), list_form)


def _named(request: Request, name: str) -> Player:
    """The player of that name; `me` is whoever asks."""
    if name != "me":
        return player_named(name)
    asking = viewer(request)
    if asking is None:
        raise Problem("not_authenticated", "Without a token nobody is `me`.")
    return asking


def _wish(request: Request) -> Wish:
    return Wish(
        status=choice_parameter(request, "status", MatchStatus.values),
        ruleset=choice_parameter(request, "ruleset", rule_set_keys()),
        open_seats=flag_parameter(request, "open_seats"),
    )


def _listed(request: Request, matches: QuerySet[Match]) -> Response:
    return _pages(request, matches, _order(request, "created_at", datetime), list_form)


def _order(request: Request, column: str, holds: type[datetime] | type[str]) -> Order:
    ordering = choice_parameter(request, "ordering", ORDERINGS) or NEWEST_FIRST
    return Order(column=column, holds=holds, key_holds=str, descending=ordering.startswith("-"))


def _pages(
    request: Request, matches: QuerySet[Match], order: Order, form: Callable[[MatchRow], dict[str, Any]]
) -> Response:
    """Find the ids of a page by its order, and then read these matches: two queries for any page."""
    shown = page(request, matches.only("created_at"), order=order, show=attrgetter("pk"))
    rows = {row.id: row for row in find_matches(shown["results"])}
    shown["results"] = [form(rows[match_id]) for match_id in shown["results"] if match_id in rows]
    return Response(shown)


class PlayersMatchesView(ApiView):
    """The matches of one player."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_PLAYERS_MATCHES}

    def get(self, request: Request, username: str) -> Response:
        """List the public ones; to the player all of them."""
        return _of_player(request, username)


class MyMatchesView(ApiView):
    """The matches one sits in."""

    access: ClassVar[dict[str, Needs]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_MY_MATCHES}

    def get(self, request: Request) -> Response:
        """List those that are not over, most urgent first."""
        player = signed_in(request)
        matches = running_matches(player)
        return _pages(request, matches, _MOST_URGENT_FIRST, lambda row: my_list_form(row, player))


class MyInvitationsView(ApiView):
    """The matches one is asked to play in."""

    access: ClassVar[dict[str, Needs]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_INVITATIONS}

    def get(self, request: Request) -> Response:
        """List them, the latest first."""
        player = signed_in(request)
        order = Order(column="created_at", holds=datetime, key_holds=str)
        return _pages(request, invitations(player), order, lambda row: invitation_form(row, player))
