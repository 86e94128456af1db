"""The dashboard of the admin."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.matches.models.log import Actor, EventType, Move
from games.matches.models.match import Match, MatchStatus
from games.operators import queries as operators_queries
from games.operators.admin.site import dashboard
from games.operators.queries import matches_by_status
from games.operators.services import Role
from tests.games.operators.conftest import clear_cached_counts
from tests.support.factories import logged_in_client, make_match, make_operator, make_player, start_match


def test_matches_are_counted_by_status(database: str) -> None:
    start_match(make_player(), make_player())
    make_match(make_player(), make_player())
    counted = dashboard()["statuses"]
    assert (counted[MatchStatus.ACTIVE], counted[MatchStatus.OPEN], counted[MatchStatus.FINISHED]) == (
        1,
        1,
        0,
    )


def test_dashboard_shows_overdue_turns(database: str) -> None:
    match = start_match(make_player(), make_player())
    past = timezone.now() - timedelta(seconds=90)
    Match.objects.filter(pk=match.pk).update(deadline=past, wake_at=past)
    late = dashboard()["late"]
    assert late.pop("Waiting turns between AIs").count == 0
    assert len(late) == 2
    for backlog in late.values():
        assert backlog.count == 1
        assert 89 < backlog.oldest_seconds < 150


def test_dashboard_shows_turns_between_ais_apart(database: str) -> None:
    match = start_match("easy", "easy")
    past = timezone.now() - timedelta(seconds=90)
    Match.objects.filter(pk=match.pk).update(turn_due_at=past)
    late = dashboard()["late"]
    assert late["AI turns waiting"].count == 0
    assert late["Waiting turns between AIs"].count == 1
    assert 89 < late["Waiting turns between AIs"].oldest_seconds < 150


def test_charts_contain_empty_hours_and_count_all_events_and_accounts(database: str) -> None:
    start_match(make_player(), make_player())
    shown = dashboard()
    assert shown["moves_today"] == 1
    assert shown["sign_ups"] == 2
    assert shown["moves_chart"].count(":00") == 24


def test_count_of_matches_is_cached(database: str) -> None:
    make_match(make_player(), make_player())
    assert matches_by_status()[MatchStatus.OPEN] == 1
    make_match(make_player(), make_player())
    assert matches_by_status()[MatchStatus.OPEN] == 1
    clear_cached_counts()
    assert matches_by_status()[MatchStatus.OPEN] == 2


def test_events_by_hour_ignore_older_and_imported_entries(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operators_queries, "_ID_OVERLAP", 0)
    now = timezone.now()
    hours = (90, 50, 30, 25, 20, 20, 3, 0)
    _write_log(make_match(make_player(), make_player()), [now - timedelta(hours=ago) for ago in hours])
    assert sum(operators_queries.moves_by_hour().values()) == 4
    imported = make_match(make_player(), make_player())
    Match.objects.filter(pk=imported.pk).update(imported_at=now)
    _write_log(imported, [now - timedelta(days=300)] * 20)
    assert sum(operators_queries.moves_by_hour().values()) == 4, (
        "imported entries have recent ids but old times"
    )


def _write_log(match: Match, times: list[datetime]) -> None:
    """Write log entries with these times."""
    Move.objects.bulk_create(
        Move(match=match, version=version, type=EventType.JOINED, by=Actor.PLAYER, at=at, entry={})
        for version, at in enumerate(times, start=1)
    )


def test_dashboard_page_shows_backlogs(database: str) -> None:
    text = logged_in_client(make_operator(Role.MODERATOR)).get("/admin/").content.decode()
    assert "Overdue turns" in text
    assert "Failing webhooks" in text
