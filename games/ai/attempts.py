"""Store the attempts at which AIs failed, for operators.

An attempt that succeeds leads to an entry of the log and is not stored. So there are rows only where an AI
failed or was interrupted, and for fallback moves.
"""

import traceback
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Final

from django.db.models import Max
from django.utils import timezone

from games.ai.models import MAX_PLACE_LENGTH, AttemptOutcome, TurnAttempt
from games.gateway.ai import CARETAKER_LEVEL
from games.matches.store import MatchRow, SeatRow

# The attempts that are stored of a match; older ones are deleted.
MAX_ATTEMPTS_STORED: Final = 50
RETENTION: Final = timedelta(days=30)
DELETED_AT_ONCE: Final = 1000


def record_attempt(
    row: MatchRow, seat: SeatRow, outcome: AttemptOutcome, *, error: Exception | None = None
) -> None:
    """Store an attempt at the current turn. The message of the error is left out: it may contain cards."""
    TurnAttempt.objects.create(
        match_id=row.id,
        version=row.version,
        seat=seat.number,
        level=seat.level or CARETAKER_LEVEL,
        attempt=row.attempts,
        outcome=outcome,
        error="" if error is None else type(error).__name__[:64],
        place="" if error is None else _place(error),
        at=timezone.now(),
    )
    stored = TurnAttempt.objects.filter(match=row.id).order_by("-pk").values_list("pk", flat=True)
    surplus = list(stored[MAX_ATTEMPTS_STORED : MAX_ATTEMPTS_STORED + 1])
    if surplus:
        TurnAttempt.objects.filter(match=row.id, pk__lte=surplus[0]).delete()


def record_interrupted_attempt(row: MatchRow, seat: SeatRow) -> None:
    """Store that the previous attempt did not end: its worker died, or took longer than its lease."""
    if row.attempts < 2:  # noqa: PLR2004 -- the first attempt has none before it
        return
    previous = row._replace(attempts=row.attempts - 1)
    stored = TurnAttempt.objects.filter(match=row.id, version=row.version)
    if (stored.aggregate(last=Max("attempt"))["last"] or 0) < previous.attempts:
        record_attempt(previous, seat, AttemptOutcome.INTERRUPTED)


def _place(error: Exception) -> str:
    """Return where an error was raised: file, line and function."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    last = frames[-1]
    file = "/".join(PurePath(last.filename).parts[-3:])
    return f"{file}:{last.lineno} {last.name}"[:MAX_PLACE_LENGTH]


def attempts_of_match(match_id: str) -> list[TurnAttempt]:
    """Return the stored attempts of a match, newest first."""
    return list(TurnAttempt.objects.filter(match=match_id).order_by("-pk"))


def count_by_entry(attempts: Iterable[TurnAttempt]) -> Counter[int]:
    """Return the number of failed attempts before each entry of the log, by the version of the entry."""
    failed = (attempt for attempt in attempts if attempt.outcome != AttemptOutcome.FALLBACK)
    return Counter(attempt.version + 1 for attempt in failed)


def delete_old_attempts(*, now: datetime) -> int:
    """Delete old attempts, and return their number."""
    old = TurnAttempt.objects.filter(at__lt=now - RETENTION).order_by("at").values_list("pk", flat=True)
    deleted, _ = TurnAttempt.objects.filter(pk__in=list(old[:DELETED_AT_ONCE])).delete()
    return deleted
