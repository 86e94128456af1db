"""OpenAPI operations of the statistics."""

from typing import Final

from games.api.routing import UsernameConverter
from games.api.schema.operations import LOBBY, OK, Operation, Parameter, ref
from games.statistics.serializers import StatisticsSerializer

READ_STATISTICS: Final = Operation(
    id="readStatistics",
    summary="Read the statistics of a player",
    description=(
        "Counts matches within seconds of their end; imported and annulled ones do not count. Others see the "
        "statistics of public matches; players see those of all their matches, and with `against` also those "
        "of all matches against themselves. Unknown and repeated parameters are rejected."
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
            name="against",
            schema={"type": "string", "pattern": f"^{UsernameConverter.regex}$"},
            description="Only matches in which this player sat too.",
        ),
    ),
    answers={OK: StatisticsSerializer},
)
