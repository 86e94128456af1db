"""OpenAPI operations of the archives of players."""

from typing import Final

from games.api.files import FILE_MEDIA_TYPE
from games.api.schema.fields import Hexadecimal, ResponseSerializer, enumeration
from games.api.schema.operations import ACCEPTED, OK, PARTIAL_CONTENT, PROFILE, Operation
from games.api.serializers import DateTimeField, EmptyRequestSerializer, IntegerField, StringField
from games.records.operations import FILE

export_status = enumeration(
    "PersonalExportStatus",
    ("pending", "running", "ready", "failed"),
    "Whether an archive waits, is being written, can be downloaded, or could not be written.",
)


class PersonalExportSerializer(ResponseSerializer):
    """An archive of all that is stored about you."""

    id = StringField(help_text="The id of the archive, as in the notice `export_ready`.")
    status = export_status(help_text="Whether the archive is ready.")
    requested_at = DateTimeField(help_text="When you asked for it.")
    ready_at = DateTimeField(allow_null=True, help_text="When it was finished; null until then.")
    expires_at = DateTimeField(allow_null=True, help_text="When it is deleted: 7 days after it was finished.")
    bytes = IntegerField(min_value=0, allow_null=True, help_text="Its size; null until it is ready.")
    sha256 = Hexadecimal(allow_null=True, help_text="Its SHA-256; null until it is ready.")


REQUEST_EXPORT: Final = Operation(
    id="requestMyExport",
    summary="Request an archive of all that is stored about you",
    description=(
        "A worker writes a ZIP archive of JSON files: your account, settings, log-ins, notices, statistics, "
        "and every match as you may see it, without secrets. Poll `Location`, or wait for the mail and the "
        "notice `export_ready`. You may ask once a day; a request while an archive is being written returns "
        "that one. Needs a fresh token, or that of a guest."
    ),
    tag=PROFILE,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: PersonalExportSerializer},
    location="/api/v1/me/export",
    problems=("reauthentication_required",),
)
READ_EXPORT: Final = Operation(
    id="readMyExport",
    summary="Get the status of your archive",
    description="Returns the archive that you requested last; 404 if there is none or it has expired.",
    tag=PROFILE,
    answers={OK: PersonalExportSerializer},
    problems=("not_found",),
)
DOWNLOAD_EXPORT: Final = Operation(
    id="downloadMyExport",
    summary="Download your archive",
    description="Returns the ZIP archive once it is ready. Needs a fresh token, or that of a guest.",
    tag=PROFILE,
    answers={OK: None, PARTIAL_CONTENT: None},
    other_media_types={FILE_MEDIA_TYPE: FILE},
    content="The archive, or the part of it that `Range` asked for.",
    conditional=True,
    problems=("not_found", "reauthentication_required"),
)
