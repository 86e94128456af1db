"""Make, claim and close reports."""

import math
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.accounts.services.attempts import address_digest
from games.core.addresses import UNKNOWN_ADDRESS
from games.core.errors import Problem, invalid_field
from games.core.languages import Text, message
from games.core.locks import exclusive_transaction
from games.identity.models import Player, PlayerKind
from games.identity.queries import find_player
from games.identity.services import lock_players, require_active
from games.matches.store import MatchRow, can_see, find_match
from games.reports.models import MAX_MERGED_TEXT_LENGTH, Report, ReportOutcome

MAX_REPORTS_A_DAY: Final = 20
WINDOW: Final = timedelta(days=1)
MAX_TIMES: Final = 1000
# Identifies the advisory lock of PostgreSQL.
_GUESTS_LOCK_ID: Final = 0x_4861_6767_6973_0003
# How long closed reports are stored.
RETENTION: Final = timedelta(days=365)


def create_report(
    *,
    reporter: Player,
    username: str,
    reason: str,
    match: str | None = None,
    text: str = "",
    address: str = UNKNOWN_ADDRESS,
) -> Report:
    """Report a player, perhaps because of a match in which both can be seen by the reporter.

    A report that the same reporter repeats while it is open is merged into it, and does not count again.
    Reports are counted in the database under a lock on the reporter, and those of all guests at one `address`
    under a lock of their own, so the limits are exact.
    """
    reported = _require_reported_player(reporter, username)
    if match is not None:
        _require_seat(match, reporter, reported)
    is_guest = reporter.kind == PlayerKind.GUEST
    with exclusive_transaction(_GUESTS_LOCK_ID) if is_guest else transaction.atomic():
        locked = lock_players([reporter.pk, reported.pk])
        reporter = require_active(locked, reporter)
        if reported.pk not in locked:  # deleted or banned meanwhile: a deletion has removed all reports
            raise _unknown_player(username)
        repeated = _find_open_report(reporter, reported, match or "")
        if repeated is not None:
            return _merge(repeated, reason, text.strip())
        _require_below_limit(
            Report.objects.filter(reporter=reporter),
            message("You can make {most} reports a day.", most=MAX_REPORTS_A_DAY),
        )
        digest = address_digest(address) if is_guest else ""
        if is_guest:
            _require_below_limit(
                Report.objects.filter(address=digest),
                message("Guests of this network can make {most} reports a day.", most=MAX_REPORTS_A_DAY),
            )
        return Report.objects.create(
            reporter=reporter,
            player=reported,
            match_id=match or "",
            reason=reason,
            text=text.strip(),
            address=digest,
        )


def _find_open_report(reporter: Player, reported: Player, match_id: str) -> Report | None:
    """Lock and return the open report of the reporter about this player and match."""
    reports = Report.objects.select_for_update(no_key=True).filter(outcome="")
    return reports.filter(reporter=reporter, player=reported, match_id=match_id).first()


def _merge(report: Report, reason: str, text: str) -> Report:
    """Add a repeated report to the open one, which gets the new reason."""
    report.reason = reason
    report.times = min(report.times + 1, MAX_TIMES)
    if text and text not in report.text:
        report.text = f"{report.text}\n{text}".strip()[:MAX_MERGED_TEXT_LENGTH]
    report.save(update_fields=["reason", "times", "text"])
    return report


def _unknown_player(username: str) -> Problem:
    return invalid_field(
        "/username", "unknown_player", message("There is no player called {name}.", name=username)
    )


def _require_reported_player(reporter: Player, username: str) -> Player:
    player = find_player(username)
    if player is None or not player.is_active:
        raise _unknown_player(username)
    if player.pk == reporter.pk:
        raise invalid_field("/username", "invalid", message("You cannot report yourself."))
    return player


def _require_seat(match_id: str, reporter: Player, reported: Player) -> MatchRow:
    row = find_match(match_id)
    if row is None or not can_see(row, reporter):
        raise invalid_field(
            "/match", "unknown_match", message("There is no such match, or you may not see it.")
        )
    if all(seat.player_id != reported.pk for seat in row.seats):
        raise invalid_field("/match", "invalid", message("This player has no seat in the match."))
    return row


def _require_below_limit(counted: QuerySet[Report], detail: Text) -> None:
    """Raise `rate_limited` if there are too many of these reports in the last day, under a lock."""
    now = timezone.now()
    times = counted.filter(created_at__gt=now - WINDOW).order_by("-created_at")
    oldest = times.values_list("created_at", flat=True)[MAX_REPORTS_A_DAY - 1 : MAX_REPORTS_A_DAY].first()
    if oldest is not None:
        seconds = max(1, math.ceil((oldest + WINDOW - now).total_seconds()))
        raise Problem("rate_limited", detail, retry_after=seconds)


def claim_report(*, operator: Player, report_id: int) -> Report:
    """Claim an open report, so that no other moderator works on it at the same time."""
    with transaction.atomic():
        report = lock_open_report(operator=operator, report_id=report_id)
        report.claimed_by = operator
        report.save(update_fields=["claimed_by"])
    return report


def release_report(*, operator: Player, report_id: int) -> Report:
    """Give a claimed report back to the queue, also that of a colleague who is away."""
    with transaction.atomic():
        report = lock_open_report(operator=operator, report_id=report_id, is_claimed_by_anyone=True)
        report.claimed_by = None
        report.save(update_fields=["claimed_by"])
    return report


def close_report(*, operator: Player, report_id: int, outcome: ReportOutcome) -> Report:
    """Close a report with the outcome of the case."""
    with transaction.atomic():
        report = lock_open_report(operator=operator, report_id=report_id)
        report.claimed_by, report.outcome, report.closed_at = operator, outcome, timezone.now()
        report.save(update_fields=["claimed_by", "outcome", "closed_at"])
    return report


def lock_open_report(*, operator: Player, report_id: int, is_claimed_by_anyone: bool = False) -> Report:
    """Lock a report that this operator may work on, within a transaction.

    Raise `not_allowed` if it is closed, about a case of the operator, or claimed by somebody else, unless
    `is_claimed_by_anyone` allows that.
    """
    reports = Report.objects.select_for_update(of=("self",), no_key=True).select_related("player", "reporter")
    report = reports.filter(pk=report_id).first()
    if report is None:
        raise Problem("not_found")
    if operator.pk in {report.reporter_id, report.player_id}:
        raise Problem("not_allowed", "You are involved in this case: leave it to somebody else.")
    if report.outcome:
        raise Problem("not_allowed", "This report is closed.")
    if report.claimed_by_id not in {None, operator.pk} and not is_claimed_by_anyone:
        raise Problem("not_allowed", "Another moderator has claimed this report.")
    return report


def delete_reports(*, player: Player) -> None:
    """Delete the reports about a deleted account, and the texts that it wrote about others."""
    Report.objects.filter(player=player).delete()
    Report.objects.filter(reporter=player).update(text="")


def delete_old_reports(*, now: datetime) -> int:
    """Delete old addresses, and reports that were closed long ago; return the number of reports."""
    Report.objects.filter(created_at__lt=now - WINDOW).exclude(address="").update(address="")
    deleted, _ = Report.objects.filter(closed_at__lt=now - RETENTION).delete()
    return deleted
