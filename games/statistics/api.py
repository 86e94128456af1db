"""Endpoint of the statistics."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, current_player
from games.api.pagination import (
    choice_parameter,
    integer_parameter,
    text_parameter,
)
from games.api.schema.operations import Operation
from games.api.views import ApiView
from games.gateway.agreement import rule_set_keys
from games.lobby.queries import player_named
from games.statistics import operations
from games.statistics.queries import read_statistics


class StatisticsView(ApiView):
    """The statistics of a player."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_STATISTICS}

    def get(self, request: Request, username: str) -> Response:
        """Return the statistics, over all matches or those that the parameters select."""
        ruleset = choice_parameter(request, "ruleset", rule_set_keys())
        players = integer_parameter(request, "players", smallest=2, largest=3)
        against = text_parameter(request, "against")
        return Response(
            read_statistics(
                player_named(username),
                current_player(request),
                ruleset=ruleset,
                players=players,
                against=None if against is None else player_named(against),
            )
        )
