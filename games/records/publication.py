"""Publish the records of public finished matches, each once, under a number that grows.

A worker takes finished matches that it has not seen yet, the first to finish first, in batches; so it also
publishes the matches that finished before this existed. Numbers are assigned in transactions that exclude
each other until they have committed: a reader who has seen a number never finds a lower one later.

Private and unlisted matches, annulled and cancelled ones and imported ones are never published.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from games.core.compact_json import dump_json
from games.core.locks import exclusive_transaction
from games.core.secrets import Secret
from games.core.times import format_time
from games.gateway.documents import RecordDocument
from games.identity.models import PlayerKind
from games.matches.models.match import Match, MatchStatus, Visibility
from games.matches.store import MatchRow, SeatRow, find_matches
from games.records.models import Dataset, DatasetFile, FileFormat, MatchKind, PublishedRecord
from games.records.pseudonyms import new_key, pseudonym
from games.records.queries import build_match_record
from games.records.segments import compress_segment

BATCH_SIZE: Final = 50

log = logging.getLogger(__name__)
# Identifies the advisory lock of PostgreSQL.
_LOCK_ID: Final = 0x_4861_6767_6973_0003
_AI: Final = "ai"
_PEOPLE: Final = frozenset({PlayerKind.HUMAN.value, PlayerKind.GUEST.value})


class Publication(NamedTuple):
    """A record that may be published, without its number."""

    row: MatchRow
    finished_at: datetime
    record: RecordDocument


def read_dataset() -> Dataset:
    """Return the row of the data set, which is created when it is first needed."""
    return Dataset.objects.get_or_create(pk=1, defaults={"pseudonym_key": new_key()})[0]


def publish_finished_matches(*, at_most: int = BATCH_SIZE) -> int:
    """Publish matches that have finished; return how many were looked at, public or not.

    The records, which do not change any more, are built before the lock is taken.
    """
    waiting = Match.objects.filter(status=MatchStatus.FINISHED, record_published=False)
    ids = list(waiting.order_by("finished_at", "pk").values_list("pk", flat=True)[:at_most])
    if not ids:
        return 0
    readable, publications = _build(ids)
    with exclusive_transaction(_LOCK_ID):
        locked = waiting.select_for_update(no_key=True).filter(pk__in=readable).order_by("pk")
        unseen = set(locked.values_list("pk", flat=True))
        _store([each for each in publications if each.row.id in unseen])
        Match.objects.filter(pk__in=unseen).update(record_published=True)
    return len(readable)


def _build(match_ids: Sequence[str]) -> tuple[list[str], list[Publication]]:
    """Return the matches that could be read, in order, and the records of those to publish.

    A match whose record cannot be built is left out: it must not block the others.
    """
    rows = {row.id: row for row in find_matches(match_ids)}
    readable, publications = [], []
    for match_id in match_ids:
        try:
            row = rows[match_id]
            if row.finished_at is not None and is_publishable(row):
                publications.append(Publication(row, row.finished_at, build_match_record(row)))
            readable.append(match_id)
        except Exception as error:  # noqa: BLE001 -- any fault of one match; the log has its type
            log.error("publishing match %s failed with %s", match_id, type(error).__name__)  # noqa: TRY400 -- without stored words
    return readable, publications


def is_publishable(row: MatchRow) -> bool:
    """Return whether the record of a match may be published."""
    return (
        row.status == MatchStatus.FINISHED
        and row.visibility == Visibility.PUBLIC
        and row.imported_at is None
        and row.result is not None
        and row.result["reason"] != "annulled"
    )


def _store(publications: Sequence[Publication]) -> None:
    """Assign numbers to records and store them."""
    if not publications:
        return
    dataset = read_dataset()
    records = []
    for number, each in enumerate(publications, start=dataset.last_number + 1):
        text = render_line(number, each, dataset.pseudonym_key)
        records.append(
            PublishedRecord(
                number=number,
                match_id=each.row.id,
                ruleset=each.row.ruleset,
                players=each.row.players,
                kind=match_kind(each.row.seats),
                finished_at=each.finished_at,
                size=len(text),
                line=compress_segment(text),
            )
        )
    PublishedRecord.objects.bulk_create(records)
    Dataset.objects.filter(pk=dataset.pk).update(last_number=dataset.last_number + len(records))
    write_months_again([each.finished_at for each in publications])


def render_line(number: int, publication: Publication, key: Secret[bytes]) -> bytes:
    """Return the line of a record: the record with pseudonyms, and what it does not contain itself."""
    seats = publication.row.seats
    names = [
        name if seat.player_id is None else pseudonym(seat.player_id, key)
        for name, seat in zip(publication.record["seats"], seats, strict=True)
    ]
    line = {
        "number": number,
        "finished_at": format_time(publication.finished_at),
        "kind": match_kind(seats),
        "kinds": [seat.kind or _AI for seat in seats],
        "record": {**publication.record, "seats": names},
    }
    return dump_json(line) + b"\n"


def match_kind(seats: Sequence[SeatRow]) -> str:
    """Return who plays at a table."""
    of_people = [seat.kind in _PEOPLE for seat in seats]
    if all(of_people):
        return MatchKind.HUMAN.value
    return MatchKind.MIXED.value if any(of_people) else MatchKind.BOT.value


@transaction.atomic
def withdraw_record(*, match_id: str) -> bool:
    """Delete the published record of a match for good; return whether there was one.

    Its number is not used again.
    """
    Match.objects.filter(pk=match_id).update(record_published=True)
    published = PublishedRecord.objects.filter(match=match_id)
    write_months_again(published.values_list("finished_at", flat=True))
    return published.delete()[0] > 0


def write_months_again(times: Iterable[datetime]) -> None:
    """Let the files of the months of these times be written again, if there are any."""
    months = {time.astimezone(UTC).date().replace(day=1) for time in times}
    DatasetFile.objects.filter(month__in=months).update(wake_at=timezone.now(), attempts=0)


def write_names_again() -> None:
    """Let the file of names be written again, for instance without a deleted account."""
    DatasetFile.objects.filter(format=FileFormat.NAMES).update(wake_at=timezone.now(), attempts=0)
