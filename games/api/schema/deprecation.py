"""What is deprecated, and until when it works (docs/versioning.md)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, ClassVar, Final

from django.utils.http import http_date

from games.api.serializers import DateTimeField

MIN_MONTHS: Final = 6


@dataclass(frozen=True, slots=True)
class Deprecation:
    """The date since which something is deprecated, and the date until which it works."""

    since: date
    sunset: date

    def __post_init__(self) -> None:
        """Raise if it would not work for six months."""
        months = 12 * (self.sunset.year - self.since.year) + self.sunset.month - self.since.month
        if months - (self.sunset.day < self.since.day) < MIN_MONTHS:
            raise ValueError(f"What is deprecated works for at least {MIN_MONTHS} months.")

    def headers(self) -> dict[str, str]:
        """Return the headers of responses of a deprecated operation (RFC 9745 and RFC 8594).

        >>> Deprecation(date(2026, 11, 20), date(2027, 5, 20)).headers()
        {'Deprecation': '@1795132800', 'Sunset': 'Thu, 20 May 2027 00:00:00 GMT'}
        """
        return {
            "Deprecation": f"@{_midnight(self.since)}",
            "Sunset": http_date(_midnight(self.sunset)),
        }


def _midnight(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())


# The name of `created_at` in the objects that had it first.
CREATED_NAME: Final = Deprecation(since=date(2026, 11, 20), sunset=date(2027, 5, 20))


class CreatedField(DateTimeField):
    """The former name of `created_at`, with the same value; optional, so that clients work without it."""

    schema_extra: ClassVar = {"deprecated": True}

    def __init__(self, **options: Any) -> None:
        text = f"Deprecated: use `created_at`, which has the same value. Removed on {CREATED_NAME.sunset}."
        super().__init__(**{"help_text": text, "required": False, **options})
