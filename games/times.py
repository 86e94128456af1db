"""Moments as clients are told them: UTC, RFC 3339."""

from datetime import UTC, datetime


def rfc3339(moment: datetime | None) -> str | None:
    """A moment in UTC, to the millisecond, with a Z at the end.

    >>> rfc3339(datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC))
    '2026-02-03T04:05:06.789Z'
    """
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
