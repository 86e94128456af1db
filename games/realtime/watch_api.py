"""Endpoints for spectators."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, current_player
from games.api.pagination import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    Order,
    choice_parameter,
    integer_parameter,
    paginate,
)
from games.api.schema.fields import ResponseSerializer, list_field
from games.api.schema.operations import LOBBY, OK, Link, Operation, Parameter, ref
from games.api.serializers import IntegerField, StringField
from games.api.views import ApiView
from games.gateway.agreement import rule_set_keys
from games.lobby.serializers import ListedMatchSerializer
from games.matches.store import find_matches, read_match
from games.realtime.remote_connections import WATCHERS, read_counts
from games.realtime.watchers import featured_match, render_watchable, watchable_matches, watchers_of

_WATCHERS_HELP: Final = "How many watch the match over a stream and have no seat, as of a few seconds ago."


class WatchersSerializer(ResponseSerializer):
    """The number of watchers of a match."""

    watchers = IntegerField(min_value=0, help_text=_WATCHERS_HELP)


class WatchableMatchSerializer(ListedMatchSerializer):
    """A running match in a list, with the number of its watchers."""

    watchers = IntegerField(min_value=0, help_text=_WATCHERS_HELP)


class WatchableMatchesSerializer(ResponseSerializer):
    """Public matches that are being played, newest first, and the one that is most worth watching."""

    next = StringField(allow_null=True, help_text="The URL of the next page; null on the last one.")
    previous = StringField(allow_null=True, help_text="The URL of the previous page; null on the first one.")
    featured = WatchableMatchSerializer(
        allow_null=True,
        help_text="The match that most people watch, of those with an action in the last two minutes. "
        "Without watchers it is the one with most people at the table. Null if nobody acted recently.",
    )
    results = list_field(WatchableMatchSerializer())


LIST_WATCHABLE: Final = Operation(
    id="listWatchableMatches",
    summary="List the matches to watch",
    description=(
        "Public matches that are being played, newest first, with the number of their watchers. Unknown and "
        "repeated parameters are rejected."
    ),
    tag=LOBBY,
    parameters=(
        Parameter(
            name="ruleset",
            schema=ref("schemas", "RuleSetKey"),
            description="Only matches of this rule set.",
        ),
        Parameter(
            name="players",
            schema={"type": "integer", "minimum": 2, "maximum": 3},
            description="Only matches of this many players.",
        ),
        Parameter(
            name="limit",
            schema={"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
            description="The maximum number of results per page.",
        ),
        Parameter(
            name="cursor",
            schema={"type": "string", "maxLength": 500},
            description="Where the page begins: opaque, from `next` or `previous`.",
        ),
    ),
    answers={OK: WatchableMatchesSerializer},
    links=(Link("watchMatch", {"match_id": "$response.body#/results/0/id"}),),
)
READ_WATCHERS: Final = Operation(
    id="readWatchers",
    summary="Read how many watch a match",
    description="Counted over all connections to the service, apart from the table, which does not change.",
    tag=LOBBY,
    answers={OK: WatchersSerializer},
)
_NEWEST_FIRST: Final = Order(column="created_at", value_type=datetime, key_type=str)


class WatchView(ApiView):
    """The matches to watch."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_WATCHABLE}

    def get(self, request: Request) -> Response:
        """List public matches that are being played."""
        matches = watchable_matches(
            ruleset=choice_parameter(request, "ruleset", rule_set_keys()),
            players=integer_parameter(request, "players", smallest=2, largest=3),
        )
        page = paginate(request, matches.only("created_at"), order=_NEWEST_FIRST, show=lambda match: match.pk)
        counts = read_counts(WATCHERS)
        rows = {row.id: row for row in find_matches(page["results"])}
        featured = featured_match(matches, counts)
        return Response(
            {
                "next": page["next"],
                "previous": page["previous"],
                "featured": None if featured is None else render_watchable(featured, counts),
                "results": [render_watchable(rows[each], counts) for each in page["results"] if each in rows],
            }
        )


class WatchersView(ApiView):
    """The number of watchers of a match."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_WATCHERS}

    def get(self, request: Request, match_id: str) -> Response:
        """Return the number of watchers."""
        row = read_match(match_id, current_player(request))
        return Response({"watchers": watchers_of(row.id)})
