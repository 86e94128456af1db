"""The model of notices and the data of each type."""

import secrets
from typing import Any, ClassVar, Final, NotRequired, TypedDict

from django.conf import settings
from django.db import models

MAX_TYPE_LENGTH: Final = 16


class NoticeType(models.TextChoices):
    """The type of a notice."""

    SEEK_MATCHED = "seek_matched"
    RATING_CHANGED = "rating_changed"
    BOARD_OPENED = "board_opened"
    BOARD_CLOSED = "board_closed"
    EXPORT_READY = "export_ready"
    SECURITY = "security"


class SeekMatchedData(TypedDict):
    """An opponent was found for a seek of the player."""

    seek: str
    match: str


class RatingChangedData(TypedDict):
    """A rated match has changed a rating of the player."""

    match: str
    pool: str
    before: int | None
    rating: int


class BoardData(TypedDict):
    """A board was opened or closed."""

    board: str


class ExportReadyData(TypedDict):
    """An archive of the player's data can be downloaded until a time."""

    export: str
    expires_at: str


class SecurityData(TypedDict):
    """A change that could be the work of an intruder; `device` only if the log-in named one."""

    event: str
    device: NotRequired[str]


NoticeData = SeekMatchedData | RatingChangedData | BoardData | ExportReadyData | SecurityData


def new_notice_id() -> str:
    """Return a random public id."""
    return f"nt_{secrets.token_hex(8)}"


class PlayerNotice(models.Model):
    """A notice of one player, for event streams and webhooks, written in the transaction of its cause.

    Its id is from the sequence of the log (`Move`), and `written_in` is the id of the transaction that wrote
    the row, as in the log: so a cursor of `games.realtime.queries` is a position in both, and the ids of both
    give one order. A notice never changes, and is deleted after 30 days.
    """

    id = models.BigIntegerField(primary_key=True)
    public_id = models.CharField(max_length=20, unique=True, default=new_notice_id, editable=False)
    # The index `player_notice_of_player` covers this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    type = models.CharField(max_length=MAX_TYPE_LENGTH, choices=NoticeType)
    data: "models.JSONField[Any, Any]" = models.JSONField()
    at = models.DateTimeField()
    written_in = models.BigIntegerField(null=True, editable=False)

    class Meta:
        """Index notices by player, latest first, and by age."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="player_notice_type_is_known", condition=models.Q(type__in=NoticeType.values)
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="player_notice_of_player", fields=["player", "-id"]),
            models.Index(name="player_notice_by_age", fields=["at"]),
        ]

    def __str__(self) -> str:
        """Return the type and the player."""
        return f"{self.type} for player {self.player_id}"
