"""Format and parse times as in API responses: RFC 3339, in UTC."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache


@lru_cache(256)  # a sweep or a page of results formats the same time for many matches
def format_time(moment: datetime | None) -> str | None:
    """Format a time in UTC with milliseconds and a trailing Z.

    >>> format_time(datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC))
    '2026-02-03T04:05:06.789Z'
    """
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str | None) -> datetime | None:
    """Parse a time from a response or from JSON that the database built; a time without offset is in UTC.

    >>> parse_time("2026-02-03T04:05:06.789Z") == parse_time("2026-02-03 04:05:06.789")
    True
    """
    if text is None:
        return None
    parsed = datetime.fromisoformat(text)
    if parsed.tzinfo is UTC:
        return parsed
    return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)


def truncate_to_milliseconds(moment: datetime) -> datetime:
    """Truncate a time to the precision of the log, so that stored times equal logged times."""
    return moment - timedelta(microseconds=moment.microsecond % 1000)
