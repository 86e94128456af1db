"""Read published records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from games.records.models import PublishedRecord
from games.records.segments import expand_segment, gzip_chunks

# A response has at most so many bytes of lines before compression, but at least one line.
MAX_BYTES: Final = 4 * 1024 * 1024
_READ_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFilters:
    """Which published records to read: matches that ended in a period, and their settings."""

    since: datetime | None = None
    until: datetime | None = None
    ruleset: str | None = None
    players: int | None = None
    kind: str | None = None

    def apply(self, records: "QuerySet[PublishedRecord]") -> "QuerySet[PublishedRecord]":
        """Return the records that match."""
        equal = {"ruleset": self.ruleset, "players": self.players, "kind": self.kind}
        conditions: dict[str, Any] = {name: value for name, value in equal.items() if value is not None}
        if self.since is not None:
            conditions["finished_at__gte"] = self.since
        if self.until is not None:
            conditions["finished_at__lt"] = self.until
        return records.filter(**conditions)


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The numbers of some published records in order, and whether there are more after them."""

    numbers: Sequence[int]
    more: bool

    def lines(self) -> Iterator[bytes]:
        """Yield the text of each record."""
        return map(expand_segment, read_segments(self.numbers))

    def gzip_chunks(self) -> Iterator[bytes | memoryview]:
        """Yield the same lines as one gzip stream."""
        return gzip_chunks(read_segments(self.numbers))


def read_segments(numbers: Sequence[int]) -> Iterator[bytes | memoryview]:
    """Yield the segments of records, a bounded number of them in memory."""
    for start in range(0, len(numbers), _READ_AT_ONCE):
        rows = PublishedRecord.objects.filter(pk__in=numbers[start : start + _READ_AT_ONCE]).order_by("pk")
        yield from rows.values_list("line", flat=True)


def records_after(number: int, filters: RecordFilters, *, limit: int) -> RecordPage:
    """Return the next records after a number, as many as the limits allow."""
    rows = filters.apply(PublishedRecord.objects.filter(pk__gt=number)).order_by("pk")
    found = list(rows.values_list("pk", "size")[: limit + 1])
    numbers: list[int] = []
    size = 0
    for found_number, line_size in found[:limit]:
        size += line_size
        if numbers and size > MAX_BYTES:
            break
        numbers.append(found_number)
    return RecordPage(numbers, more=len(numbers) < len(found))
