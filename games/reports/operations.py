"""OpenAPI operations of the reports endpoint."""

from typing import Final

from games.api.schema.operations import ACCEPTED, PROFILE, Operation
from games.reports.serializers import ReportRequestSerializer

REPORT_PLAYER: Final = Operation(
    id="reportPlayer",
    summary="Report a player",
    description=(
        "Only moderators see the report. The response says nothing about the player, and there is no way to "
        "read reports. A report about the same player and match is added to the open one. A player, and all "
        "guests of one network together, can make 20 reports in 24 hours; after that the response is "
        "`rate_limited`."
    ),
    tag=PROFILE,
    body=ReportRequestSerializer,
    answers={ACCEPTED: None},
)
