"""Moments as clients are told them: UTC, RFC 3339."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache


@lru_cache(256)  # a sweep, a page: the same moment is told of many matches
def format_time(moment: datetime | None) -> str | None:
    """A moment in UTC, to the millisecond, with a Z at the end.

    >>> rfc3339(datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC))
    '2026-02-03T04:05:06.789Z'
    """
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str | None) -> datetime | None:
    """The moment that clients were told of, or that a database wrote into JSON.

    >>> moment("2026-02-03T04:05:06.789Z") == moment("2026-02-03 04:05:06.789")
    True
    """
    if text is None:
        return None
    read = datetime.fromisoformat(text)
    if read.tzinfo is UTC:
        return read
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)


def truncate_to_milliseconds(moment: datetime) -> datetime:
    """A moment as it can be told: what is stored beside the log is what the log says."""
    return moment - timedelta(microseconds=moment.microsecond % 1000)
