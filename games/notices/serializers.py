"""Response schemas of notices."""

from typing import Final

from games.api.schema.fields import ResponseSerializer, Union, constant_field
from games.api.serializers import DateTimeField, IntegerField, StringField
from games.notices.models import NoticeType


class SeekMatchedDataSerializer(ResponseSerializer):
    """The seek, and the match that it led to."""

    seek = StringField(help_text="The ID of your seek.")
    match = StringField(help_text="The ID of the match.")


class RatingChangedDataSerializer(ResponseSerializer):
    """A rating of yours before and after a match."""

    match = StringField(help_text="The ID of the rated match.")
    pool = StringField(help_text="The rule set and number of players that the rating is for.")
    before = IntegerField(allow_null=True, help_text="The rating before the match; null: the first one.")
    rating = IntegerField(help_text="The rating after the match.")


class BoardDataSerializer(ResponseSerializer):
    """The board."""

    board = StringField(help_text="The ID of the board.")


class ExportReadyDataSerializer(ResponseSerializer):
    """The archive."""

    export = StringField(help_text="The ID of the export.")
    expires_at = DateTimeField(help_text="Until when the archive can be downloaded.")


class SecurityDataSerializer(ResponseSerializer):
    """What happened to the account."""

    event = StringField(
        help_text="`email_changed`, `password_changed`, `second_factor_added`, `second_factor_removed` or "
        "`new_device`: a log-in from a new device or place. More values may be added."
    )
    device = StringField(required=False, help_text="`new_device`: the browser, if it named itself.")


class _NoticeSerializer(ResponseSerializer):
    """The members of every notice."""

    id = StringField(help_text="Unique; use it to ignore what you have processed.")
    at = DateTimeField(help_text="When it happened.")


class SeekMatchedNoticeSerializer(_NoticeSerializer):
    """An opponent was found for your seek."""

    type = constant_field("seek_matched")
    data = SeekMatchedDataSerializer()  # type: ignore[assignment]  # the metaclass takes it out of the class


class RatingChangedNoticeSerializer(_NoticeSerializer):
    """A rated match has changed your rating."""

    type = constant_field("rating_changed")
    data = RatingChangedDataSerializer()  # type: ignore[assignment]  # as above


class BoardOpenedNoticeSerializer(_NoticeSerializer):
    """A board was opened."""

    type = constant_field("board_opened")
    data = BoardDataSerializer()  # type: ignore[assignment]  # as above


class BoardClosedNoticeSerializer(_NoticeSerializer):
    """A board that you play was closed."""

    type = constant_field("board_closed")
    data = BoardDataSerializer()  # type: ignore[assignment]  # as above


class ExportReadyNoticeSerializer(_NoticeSerializer):
    """The archive of your data can be downloaded."""

    type = constant_field("export_ready")
    data = ExportReadyDataSerializer()  # type: ignore[assignment]  # as above


class SecurityNoticeSerializer(_NoticeSerializer):
    """Somebody logged in to your account from a new device, or changed what protects it."""

    type = constant_field("security")
    data = SecurityDataSerializer()  # type: ignore[assignment]  # as above


NOTICE_SERIALIZERS: Final[dict[str, type[ResponseSerializer]]] = {
    NoticeType.SEEK_MATCHED.value: SeekMatchedNoticeSerializer,
    NoticeType.RATING_CHANGED.value: RatingChangedNoticeSerializer,
    NoticeType.BOARD_OPENED.value: BoardOpenedNoticeSerializer,
    NoticeType.BOARD_CLOSED.value: BoardClosedNoticeSerializer,
    NoticeType.EXPORT_READY.value: ExportReadyNoticeSerializer,
    NoticeType.SECURITY.value: SecurityNoticeSerializer,
}


def notice_union(*, required: bool = True) -> Union:
    """Return a field for a notice of any type."""
    return Union(
        "PlayerNotice",
        NOTICE_SERIALIZERS,
        description="What happened to you apart from matches, by its `type`. More types may be added.",
        required=required,
    )
