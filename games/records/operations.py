"""OpenAPI operations of the published records."""

import json
from collections.abc import Mapping
from typing import Any, Final

from games.api.files import FILE_MEDIA_TYPE
from games.api.schema.fields import Hexadecimal, ResponseSerializer, constant_field, enumeration
from games.api.schema.operations import (
    HISTORY,
    OK,
    PARTIAL_CONTENT,
    Operation,
    Page,
    Parameter,
    SchemaObject,
    ref,
)
from games.api.serializers import DateTimeField, IntegerField, StringField
from games.records.exports import LICENCE
from games.records.formats import LINES_MEDIA_TYPE
from games.records.models import FileFormat, MatchKind

MAX_LINES: Final = 500
MAX_NUMBER: Final = 10**15 - 1

file_format = enumeration("ExportFormat", FileFormat.values, "The format of a file of the data set.")


class ExportSerializer(ResponseSerializer):
    """A file of the data set."""

    name = StringField(help_text="The name of the file.")
    month = StringField(allow_null=True, help_text="The month (UTC) in which its matches ended, as 2026-10.")
    format = file_format(
        help_text="`ndjson`: lines as in `GET /records`, compressed with gzip; `parquet`: a table with a row "
        "for each match; `names`: the pseudonym, username and kind of each account that still exists, as CSV."
    )
    rows = IntegerField(min_value=0, help_text="The number of matches, or of names.")
    bytes = IntegerField(min_value=0, help_text="The size of the file.")
    sha256 = Hexadecimal(help_text="The SHA-256 of the file.")
    licence = constant_field(LICENCE, help_text="The licence, as its SPDX identifier.")
    written_at = DateTimeField(
        help_text="When the file was written. It is written again if it has to change."
    )
    url = StringField(help_text="Where to download the file.")


FILE: Final[SchemaObject] = {"type": "string", "format": "binary", "description": "The content of the file."}

_TIME: Final[SchemaObject] = {"type": "string", "maxLength": 40}


def _line_example(recorded: Mapping[str, Any]) -> str:
    """Return a recorded record as a published line."""
    record = recorded["readRecord"]["answers"]["200"]
    kinds = ["ai" if name.startswith("ai:") else "human" for name in record["seats"]]
    line = {"number": 1, "finished_at": "2026-11-20T12:00:00Z", "kind": "mixed", "kinds": kinds}
    return json.dumps(line | {"record": record}, separators=(",", ":")) + "\n"


LIST_RECORDS: Final = Operation(
    id="listRecords",
    summary="Read the records of public finished matches, one a line",
    description=(
        "Every line is a JSON object: `number`, the publication number; `finished_at`; `kind`, who played; "
        "`kinds`, for each seat `human`, `guest`, `bot` or `ai`; and `record`, a `Record` in whose `seats` "
        "players have pseudonyms. Records are published once, seconds after the end of their match, in the "
        "order of their numbers: no number ever appears below one that you have seen, so continue with the "
        "number of your last line as `cursor`. A response has up to 500 lines and 4 MB before compression; "
        "`Link` has the URL of the next lines if there are more now. Matches that are unlisted, private, "
        "annulled or imported are never published. For whole months use `GET /exports`. Unknown and repeated "
        "parameters are rejected."
    ),
    tag=HISTORY,
    parameters=(
        Parameter(
            name="cursor",
            schema={"type": "integer", "minimum": 0, "maximum": MAX_NUMBER, "default": 0},
            description="The `number` of the last line that you have.",
        ),
        Parameter(
            name="limit",
            schema={"type": "integer", "minimum": 1, "maximum": MAX_LINES, "default": MAX_LINES},
            description="The maximum number of lines.",
        ),
        Parameter(
            name="since", schema=_TIME, description="Only matches that ended at this date or time or later."
        ),
        Parameter(
            name="until", schema=_TIME, description="Only matches that ended before this date or time."
        ),
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
            name="kind",
            schema={"type": "string", "enum": list(MatchKind.values)},
            description="Only matches of people (`human`), of bots and AIs (`bot`), or of both (`mixed`).",
        ),
    ),
    answers={OK: None},
    other_media_types={
        LINES_MEDIA_TYPE: {"type": "string", "description": "Records, one JSON object a line."}
    },
    media_examples={LINES_MEDIA_TYPE: _line_example},
    content="Records, one a line.",
    conditional=True,
    has_link=True,
)

LIST_EXPORTS: Final = Operation(
    id="listExports",
    summary="List the monthly files of the data set",
    description=(
        "All published records of each finished month (UTC) as one file in each format, and the file of "
        "names, which is written every day and after a deletion. Unknown and repeated parameters are "
        "rejected."
    ),
    tag=HISTORY,
    answers={OK: Page(ExportSerializer)},
)
READ_EXPORT: Final = Operation(
    id="downloadExport",
    summary="Download a file of the data set",
    description="Supports ranges and `If-Range`, so that an interrupted download can be continued.",
    tag=HISTORY,
    answers={OK: None, PARTIAL_CONTENT: None},
    other_media_types={FILE_MEDIA_TYPE: FILE},
    content="The file, or the part of it that `Range` asked for.",
    conditional=True,
)
