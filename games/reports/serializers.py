"""Request serializers of the reports endpoint."""

from typing import Any

from games.api.schema.fields import enumeration
from games.api.serializers import RequestSerializer, StringField
from games.identity.models import MAX_USERNAME_LENGTH
from games.reports.models import MAX_MATCH_ID_LENGTH, MAX_TEXT_LENGTH, ReportReason

report_reason = enumeration("ReportReason", ReportReason.values, "What a player is reported for.")


class ReportRequestSerializer(RequestSerializer[Any]):
    """A report about a player."""

    username = StringField(max_length=MAX_USERNAME_LENGTH, help_text="The player to report.")
    match = StringField(
        max_length=MAX_MATCH_ID_LENGTH,
        required=False,
        allow_null=True,
        help_text="The match in which it happened, with a seat of the player. If omitted or null, none.",
    )
    reason = report_reason()
    text = StringField(
        max_length=MAX_TEXT_LENGTH,
        required=False,
        allow_blank=True,
        help_text="What happened, for the moderators; can be omitted.",
    )
