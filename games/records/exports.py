"""Write the files of the data set: the records of each finished month, and the names behind the pseudonyms.

`plan_exports` decides what has to be written and a worker writes it, one file at a time. A file replaces its
predecessor only when it is complete. The file of a month is written again if a record of the month is
withdrawn or added, the file of names every day and when an account is deleted.
"""

import csv
import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypedDict

from django.conf import settings
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from games.core.errors import require_found
from games.core.times import format_time
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus, Seat, Visibility
from games.records.models import DatasetFile, FileFormat, PublishedRecord
from games.records.parquet import write_parquet
from games.records.pseudonyms import pseudonym
from games.records.publication import read_dataset
from games.records.published import read_segments
from games.records.segments import gzip_chunks

LICENCE: Final = "CC0-1.0"
NAMES_FILE: Final = "players.csv"
NAMES_LIFETIME: Final = timedelta(days=1)
LEASE: Final = timedelta(minutes=30)
MAX_ATTEMPTS: Final = 5
RETRY_DELAY: Final = timedelta(minutes=5)
_BATCH: Final = 1000
_SUFFIXES: Final = {FileFormat.NDJSON: "ndjson.gz", FileFormat.PARQUET: "parquet"}

log = logging.getLogger(__name__)


class Written(NamedTuple):
    """What was written into a file."""

    rows: int
    size: int
    sha256: str


def exports_folder() -> Path:
    """Return the folder of the files."""
    return Path(settings.HAGGIS_EXPORTS_DIR)


def file_path(name: str) -> Path:
    """Return the path of a file."""
    return exports_folder() / name


def plan_exports(*, now: datetime) -> None:
    """Add the files of months that have ended since, and let the file of names be written again every day."""
    names, _ = DatasetFile.objects.get_or_create(
        name=NAMES_FILE, defaults={"format": FileFormat.NAMES, "wake_at": now}
    )
    if names.wake_at is None and names.written_at is not None and names.written_at <= now - NAMES_LIFETIME:
        DatasetFile.objects.filter(pk=names.pk, wake_at=None).update(wake_at=now, attempts=0)
    known = set(DatasetFile.objects.exclude(month=None).values_list("month", "format"))
    formats = [FileFormat.NDJSON, *([FileFormat.PARQUET] if find_spec("pyarrow") else [])]
    for month in _finished_months(now):
        missing = [each for each in formats if (month, each.value) not in known]
        if missing and _records_of(month).exists() and not _is_being_published(month):
            for each in missing:
                name = f"haggis-{month:%Y-%m}.{_SUFFIXES[each]}"
                DatasetFile.objects.get_or_create(
                    name=name, defaults={"month": month, "format": each, "wake_at": now}
                )


def _finished_months(now: datetime) -> Iterator[date]:
    """Yield the first day of each month from the first record to the last month."""
    first = PublishedRecord.objects.aggregate(first=Min("finished_at"))["first"]
    if first is None:
        return
    month = first.astimezone(UTC).date().replace(day=1)
    while _next_month(month) <= now.astimezone(UTC).date():
        yield month
        month = _next_month(month)


def _next_month(month: date) -> date:
    """Return the first day of the next month.

    >>> _next_month(date(2026, 12, 1))
    datetime.date(2027, 1, 1)
    """
    return (month + timedelta(days=31)).replace(day=1)


def _period(month: date) -> Q:
    start, end = (datetime(day.year, day.month, 1, tzinfo=UTC) for day in (month, _next_month(month)))
    return Q(finished_at__gte=start, finished_at__lt=end)


def _records_of(month: date) -> "QuerySet[PublishedRecord]":
    return PublishedRecord.objects.filter(_period(month))


def _is_being_published(month: date) -> bool:
    """Return whether public matches of a month wait to be published."""
    waiting = Match.objects.filter(
        _period(month),
        status=MatchStatus.FINISHED,
        record_published=False,
        visibility=Visibility.PUBLIC,
    )
    return waiting.exists()


def write_next_export() -> bool:
    """Write the file that has been due for the longest time; return whether there was one.

    If the worker dies, the file becomes due again when its lease expires. After some failures it waits for an
    operator.
    """
    now = timezone.now()
    due = DatasetFile.objects.filter(wake_at__lte=now).order_by("wake_at").first()
    if due is None:
        return False
    lease = now + LEASE
    claimed = DatasetFile.objects.filter(pk=due.pk, wake_at__lte=now, attempts=due.attempts)
    if not claimed.update(wake_at=lease, attempts=due.attempts + 1, fault=""):
        return True  # another worker was first
    leased = DatasetFile.objects.filter(pk=due.pk, wake_at=lease)
    try:
        written = _write(due)
    except Exception as error:  # noqa: BLE001 -- any fault of one file; the log has its type
        fault = type(error).__name__
        log.error("writing %s failed with %s", due.name, fault)  # noqa: TRY400 -- without stored words
        gives_up = due.attempts + 1 >= MAX_ATTEMPTS
        leased.update(wake_at=None if gives_up else now + RETRY_DELAY, fault=fault)
        return True
    DatasetFile.objects.filter(pk=due.pk).update(
        written_at=now, rows=written.rows, size=written.size, sha256=written.sha256
    )
    leased.update(wake_at=None, attempts=0)  # unless it has become due again in the meantime
    return True


def _write(file: DatasetFile) -> Written:
    """Write a file beside the one that it replaces, then replace it."""
    path = file_path(file.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        rows = _WRITERS[FileFormat(file.format)](file, draft)
        written = Written(rows, draft.stat().st_size, file_digest(draft))
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return written


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _numbers_of(file: DatasetFile) -> list[int]:
    if file.month is None:
        raise ValueError(file.name)
    return list(_records_of(file.month).order_by("pk").values_list("pk", flat=True))


def _write_ndjson(file: DatasetFile, path: Path) -> int:
    numbers = _numbers_of(file)
    with path.open("wb") as target:
        _write_chunks(target, gzip_chunks(read_segments(numbers)))
    return len(numbers)


def _write_chunks(target: BinaryIO, chunks: Iterator[bytes | memoryview]) -> None:
    target.writelines(chunks)


def _write_parquet(file: DatasetFile, path: Path) -> int:
    return write_parquet(path, _numbers_of(file))


def _write_names(_: DatasetFile, path: Path) -> int:
    """Write the pseudonym, the username and the kind of every account that has a published record."""
    key = read_dataset().pseudonym_key
    rows = 0
    with path.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(("player", "username", "kind"))
        for player_id, username, kind in _named_players():
            writer.writerow((pseudonym(player_id, key), username, kind))
            rows += 1
    return rows


def _named_players() -> Iterator[tuple[int, str, str]]:
    """Yield id, username and kind of the accounts that exist and have a published record."""
    published = Seat.objects.filter(player=OuterRef("pk"), match__published_record__isnull=False)
    players = Player.objects.filter(Exists(published), is_active=True, deleted_at=None).order_by("pk")
    last = 0
    while page := list(players.filter(pk__gt=last).values_list("pk", "username", "kind")[:_BATCH]):
        yield from page
        last = page[-1][0]


_WRITERS: Final[dict[FileFormat, Callable[[DatasetFile, Path], int]]] = {
    FileFormat.NDJSON: _write_ndjson,
    FileFormat.PARQUET: _write_parquet,
    FileFormat.NAMES: _write_names,
}


class ExportDocument(TypedDict):
    """A file of the data set, as clients receive it."""

    name: str
    month: str | None
    format: str
    rows: int
    bytes: int
    sha256: str
    licence: str
    written_at: str | None
    url: str


def written_files() -> list[DatasetFile]:
    """Return the files that can be downloaded, the names first, then the latest months."""
    return list(
        DatasetFile.objects.exclude(written_at=None).order_by(F("month").desc(nulls_first=True), "name")
    )


def render_file(file: DatasetFile, url: str) -> ExportDocument:
    """Return the document of a file."""
    return {
        "name": file.name,
        "month": None if file.month is None else f"{file.month:%Y-%m}",
        "format": file.format,
        "rows": file.rows,
        "bytes": file.size,
        "sha256": file.sha256,
        "licence": LICENCE,
        "written_at": format_time(file.written_at),
        "url": url,
    }


def find_file(name: str) -> DatasetFile:
    """Return a file that can be downloaded; raise 404 if there is none of this name."""
    return require_found(DatasetFile.objects.filter(name=name).exclude(written_at=None).first())


def retry_export(*, file_id: int) -> DatasetFile:
    """Let a file be written now, with all its attempts."""
    file = require_found(DatasetFile.objects.filter(pk=file_id).first())
    DatasetFile.objects.filter(pk=file.pk).update(wake_at=timezone.now(), attempts=0, fault="")
    return file
