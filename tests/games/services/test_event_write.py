"""One event is one write, in which no row is written twice."""

from typing import Any

import pytest
from django.db.models import Model

from games.models import Match, Round, Seat, Snapshot
from games.services.event_write import EventWrite, WrittenTwice
from tests.games.factories import make_match, make_player

WRITTEN_TWICE: tuple[tuple[type[Model], dict[str, Any], dict[str, Any]], ...] = (
    (Seat, {"match": "m_1"}, {"match": "m_1"}),
    (Seat, {"match": "m_1", "number": 0}, {"match": "m_1"}),
    (Seat, {"match": "m_1"}, {"match": "m_1", "number": 0}),
    (Seat, {"match": "m_1", "number": 0}, {"match_id": "m_1", "live": True}),
)


@pytest.mark.parametrize(("model", "first", "second"), WRITTEN_TWICE)
def test_two_changes_that_may_meet_in_a_row_are_refused(
    model: type[Model], first: dict[str, Any], second: dict[str, Any]
) -> None:
    write = EventWrite("m_1", 1)
    write.update(model, first, timeouts=1)
    with pytest.raises(WrittenTwice, match="Seat"):
        write.update(model, second, live=False)


def test_a_row_that_is_added_is_not_changed_by_the_same_event() -> None:
    write = EventWrite("m_1", 1)
    write.insert(Round, match="m_1", number=2)
    with pytest.raises(WrittenTwice, match="Round"):
        write.update(Round, {"match": "m_1"}, link="")
    write = EventWrite("m_1", 1)
    write.update(Snapshot, {"match": "m_1"}, version=2)
    with pytest.raises(WrittenTwice, match="Snapshot"):
        write.insert(Snapshot, match="m_1", version=2)


def test_the_match_itself_is_changed_by_its_changes_alone() -> None:
    write = EventWrite("m_1", 1)
    with pytest.raises(WrittenTwice, match="Match"):
        write.update(Match, {"id": "m_1"}, hold=True)
    write.update(Match, {"id": "m_2"}, hold=True)


def test_changes_that_cannot_meet_are_all_made(database: str) -> None:
    match = make_match(make_player(), make_player())
    write = EventWrite(match.pk, 0)
    for number in (0, 1):
        write.update(Seat, {"match": match.pk, "number": number}, timeouts=number + 5)
    write.update(Snapshot, {"match": match.pk}, version=1)
    assert write.commit()
    assert [seat.timeouts for seat in match.seats.order_by("number")] == [5, 6]


def test_nothing_is_written_for_another_version(database: str) -> None:
    match = make_match(make_player(), make_player())
    write = EventWrite(match.pk, 7)
    write.update(Seat, {"match": match.pk}, timeouts=5)
    assert not write.commit()
    assert not match.seats.filter(timeouts=5).exists()
