"""Records of many matches, one after the other: no more of them is held at a time than one."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from games.errors import Problem
from games.matches.store import find_match
from games.models import Match, MatchStatus, Visibility
from games.selectors.records import record_of

Form = dict[str, Any]

AT_ONCE: Final = 1000


def records(*, finished: bool, private: bool) -> Iterator[Form]:
    """The record of every match that has begun, in the order in which they were made."""
    matches = Match.objects.exclude(started_at=None)
    if finished:
        matches = matches.filter(status=MatchStatus.FINISHED)
    if not private:
        matches = matches.exclude(visibility=Visibility.PRIVATE)
    ids, last = matches.order_by("pk").values_list("pk", flat=True), ""
    while page := list(ids.filter(pk__gt=last)[:AT_ONCE]):
        for last in page:
            yield record_named(last, private=private)


def record_named(match_id: str, *, private: bool) -> Form:
    """The record of one match; 404 for one that is not there, or private and not asked for as such."""
    row = find_match(match_id)
    if row is None or (row.visibility == Visibility.PRIVATE and not private):
        raise Problem("not_found", f"There is no match {match_id} to export.")
    return record_of(row)


def records_named(match_ids: Iterable[str], *, finished: bool, private: bool) -> Iterator[Form]:
    """The records of these matches, in this order; of the finished ones alone, if that is asked for."""
    for match_id in match_ids:
        record = record_named(match_id, private=private)
        if record["result"] is not None or not finished:
            yield record
