"""Reports: what is accepted, the limit, claiming and closing, deletion."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from games.core.errors import Problem
from games.identity.models import Player, PlayerKind
from games.matches.models.match import Visibility
from games.privacy.services import delete_account
from games.reports import services
from games.reports.models import MAX_MERGED_TEXT_LENGTH, Report, ReportOutcome
from games.reports.services import (
    MAX_REPORTS_A_DAY,
    RETENTION,
    claim_report,
    close_report,
    create_report,
    delete_old_reports,
    delete_reports,
    release_report,
)
from tests.support.concurrency import run_concurrently
from tests.support.factories import make_player, raises_field_error, raises_problem, start_match


def make_report(**fields: str) -> Report:
    """Create a report of one new player about another."""
    return create_report(
        reporter=make_player(), username=make_player().username, **{"reason": "abuse", **fields}
    )


def test_report_about_a_match_is_stored(database: str) -> None:
    reporter, rude = make_player(), make_player("rude-one")
    match = start_match(reporter, rude)
    create_report(reporter=reporter, username="RUDE-one", match=match.pk, reason="abuse", text=" swears ")
    report = Report.objects.get()
    assert (report.reporter, report.player, report.match_id) == (reporter, rude, match.pk)
    assert (report.reason, report.text, report.outcome) == ("abuse", "swears", "")


def test_unknown_and_banned_players_cannot_be_reported(database: str) -> None:
    make_player("long-gone", is_active=False)
    for name in ("nobody-here", "long-gone", "no such name"):
        with raises_field_error("/username", "unknown_player"):
            create_report(reporter=make_player(), username=name, reason="name")


def test_nobody_reports_themselves(database: str) -> None:
    player = make_player()
    with raises_field_error("/username", "invalid"):
        create_report(reporter=player, username=player.username, reason="name")


def test_match_must_be_visible_and_have_a_seat_of_the_player(database: str) -> None:
    rude = make_player()
    private = start_match(rude, make_player(), visibility=Visibility.PRIVATE)
    other = start_match(make_player(), make_player())
    report = partial(create_report, reporter=make_player(), username=rude.username, reason="stalling")
    for match_id in (private.pk, "m_none"):
        with raises_field_error("/match", "unknown_match"):
            report(match=match_id)
    with raises_field_error("/match", "invalid"):
        report(match=other.pk)


def test_player_who_is_deleted_meanwhile_cannot_be_reported(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rude = make_player()
    require = services._require_reported_player

    def delete_after_check(reporter: Player, username: str) -> Player:
        player = require(reporter, username)
        delete_account(player=rude)
        return player

    monkeypatch.setattr(services, "_require_reported_player", delete_after_check)
    with raises_field_error("/username", "unknown_player"):
        create_report(reporter=make_player(), username=rude.username, reason="abuse", text="about a name")
    assert not Report.objects.exists()


def report_somebody(reporter: Player, **fields: str) -> Report:
    return create_report(reporter=reporter, username=make_player().username, **{"reason": "abuse", **fields})


def test_reports_of_a_player_are_limited_in_a_day(database: str) -> None:
    reporter = make_player()
    for _ in range(MAX_REPORTS_A_DAY):
        report_somebody(reporter)
    with raises_problem("rate_limited") as refused:
        report_somebody(reporter)
    assert 0 < refused.value.extra["retry_after"] <= 86_400
    report_somebody(make_player())
    Report.objects.filter(reporter=reporter).update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    report_somebody(reporter)


def test_concurrent_reports_do_not_exceed_the_limit(committing_database: str) -> None:
    reporter = make_player()
    for _ in range(MAX_REPORTS_A_DAY - 1):
        report_somebody(reporter)
    others = [make_player().username for _ in range(4)]
    report = partial(create_report, reporter=reporter, reason="abuse")
    results = run_concurrently([partial(report, username=name) for name in others])
    assert results.count("rate_limited") == 3
    assert Report.objects.filter(reporter=reporter).count() == MAX_REPORTS_A_DAY


def test_guests_at_one_address_share_a_limit(database: str) -> None:
    guests = [make_player(kind=PlayerKind.GUEST) for _ in range(MAX_REPORTS_A_DAY + 1)]
    for guest in guests[1:]:
        report_somebody(guest, address="192.0.2.1")
    with raises_problem("rate_limited"):
        report_somebody(guests[0], address="192.0.2.1")
    report_somebody(guests[0], address="192.0.2.2")
    report_somebody(make_player(), address="192.0.2.1")  # registered
    assert not Report.objects.filter(address__contains="192").exists()
    delete_old_reports(now=timezone.now() + timedelta(days=1, seconds=1))
    assert not Report.objects.exclude(address="").exists()
    assert Report.objects.count() == MAX_REPORTS_A_DAY + 2


def test_concurrent_guests_at_one_address_do_not_exceed_the_limit(committing_database: str) -> None:
    guests = [make_player(kind=PlayerKind.GUEST) for _ in range(MAX_REPORTS_A_DAY + 3)]
    for guest in guests[4:]:
        report_somebody(guest, address="192.0.2.1")
    rude = make_player().username
    report = partial(create_report, username=rude, reason="abuse", address="192.0.2.1")
    results = run_concurrently([partial(report, reporter=guest) for guest in guests[:4]])
    assert results.count("rate_limited") == 3


def test_repeated_report_is_merged_into_the_open_one(database: str) -> None:
    reporter, rude = make_player(), make_player()
    match = start_match(reporter, rude)
    report = partial(create_report, reporter=reporter, username=rude.username)
    first = report(reason="stalling", match=match.pk, text="waits")
    for _ in range(MAX_REPORTS_A_DAY + 1):
        report(reason="abuse", match=match.pk, text="swears")
    merged = Report.objects.get()
    assert (merged.pk, merged.reason, merged.text) == (first.pk, "abuse", "waits\nswears")
    assert merged.times == MAX_REPORTS_A_DAY + 2
    report(reason="abuse", match=match.pk, text="x" * 500)
    for letter in "abcd":
        report(reason="abuse", match=match.pk, text=letter * 500)
    assert len(Report.objects.get().text) == MAX_MERGED_TEXT_LENGTH
    report(reason="abuse")  # about no match
    assert Report.objects.count() == 2
    close_report(operator=make_player(), report_id=first.pk, outcome=ReportOutcome.DISMISSED)
    assert report(reason="abuse", match=match.pk).times == 1
    assert Report.objects.count() == 3


def test_reports_repeated_at_the_same_moment_are_one(committing_database: str) -> None:
    reporter, rude = make_player(), make_player()
    report = partial(create_report, reporter=reporter, username=rude.username, reason="abuse")
    run_concurrently([report] * 4)
    assert Report.objects.get().times == 4


def test_database_refuses_a_second_open_report_about_the_same(database: str) -> None:
    report = make_report()
    report.pk = None
    with pytest.raises(DatabaseError), transaction.atomic():
        report.save(force_insert=True)


def test_only_one_moderator_works_on_a_report(database: str) -> None:
    report, first, second = make_report(), make_player(), make_player()
    claim_report(operator=first, report_id=report.pk)
    with pytest.raises(Problem, match="Another moderator"):
        claim_report(operator=second, report_id=report.pk)
    release_report(operator=second, report_id=report.pk)  # the first may be away
    close_report(operator=second, report_id=report.pk, outcome=ReportOutcome.DISMISSED)
    with pytest.raises(Problem, match="is closed"):
        claim_report(operator=first, report_id=report.pk)


def test_nobody_decides_a_case_of_their_own(database: str) -> None:
    report = make_report()
    for player in (report.reporter, report.player):
        with pytest.raises(Problem, match="involved"):
            claim_report(operator=player, report_id=report.pk)


def test_deletion_of_an_account_removes_reports_about_it_and_texts_by_it(database: str) -> None:
    about, other = make_report(text="swears"), make_player()
    by = create_report(reporter=about.player, username=other.username, reason="name", text="an insult")
    delete_reports(player=about.player)
    by.refresh_from_db()
    assert (list(Report.objects.all()), by.text) == ([by], "")


def test_closed_reports_are_deleted_after_a_year(database: str) -> None:
    old, new = make_report(), make_report()
    close_report(operator=make_player(), report_id=old.pk, outcome=ReportOutcome.DISMISSED)
    now = timezone.now()
    assert delete_old_reports(now=now) == 0
    assert delete_old_reports(now=now + RETENTION + timedelta(hours=1)) == 1
    assert list(Report.objects.all()) == [new]


def test_database_refuses_an_outcome_without_a_time(database: str) -> None:
    report = make_report()
    with pytest.raises(DatabaseError), transaction.atomic():
        Report.objects.filter(pk=report.pk).update(outcome="warned")
