"""Decide reports: claim them, add notes, and close them with an outcome."""

from collections.abc import Callable
from typing import Final

from django.db import transaction

from games.core.errors import Problem
from games.identity.models import Player
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.moderation import rename_player, suspend_player, warn_player
from games.operators.services import ban_player, record_action
from games.reports import services as reports
from games.reports.models import Report, ReportOutcome
from games.reports.queries import require_report


def claim_report(*, operator: Player, report_id: int) -> Report:
    """Claim a report, and record that in the audit log of the reported player."""
    with transaction.atomic():
        report = reports.claim_report(operator=operator, report_id=report_id)
        _record(operator, report, "claimed", "claims the report")
    return report


def release_report(*, operator: Player, report_id: int) -> Report:
    """Give a report back to the queue, and record that in the audit log of the reported player."""
    with transaction.atomic():
        report = reports.release_report(operator=operator, report_id=report_id)
        _record(operator, report, "released", "gives the report back")
    return report


def note_report(*, operator: Player, report_id: int, reason: str) -> OperatorAction:
    """Add a note to a report; only operators and moderators can read it."""
    report = require_report(report_id)
    if operator.pk in {report.reporter_id, report.player_id}:
        raise Problem("not_allowed", "You are involved in this case: leave it to somebody else.")
    return _record(operator, report, "note", reason)


_ACTIONS: Final[dict[ReportOutcome, Callable[..., object]]] = {
    ReportOutcome.WARNED: warn_player,
    ReportOutcome.RENAMED: rename_player,
    ReportOutcome.SUSPENDED: suspend_player,
    ReportOutcome.BANNED: ban_player,
}


_IN_SEVERAL_TRANSACTIONS: Final = frozenset({ReportOutcome.SUSPENDED, ReportOutcome.BANNED})


def decide_report(
    *, operator: Player, report_id: int, outcome: ReportOutcome, reason: str, **parameters: object
) -> Report:
    """Act on the reported player as the outcome says, and close the report.

    The report is claimed first, so that only one moderator acts; if the action is refused, it stays open. A
    ban and a suspension leave matches in transactions of their own, so no transaction surrounds them; doing
    one of them twice changes nothing.
    """
    if outcome in _IN_SEVERAL_TRANSACTIONS:
        report = reports.claim_report(operator=operator, report_id=report_id)
        _ACTIONS[outcome](operator=operator, player=report.player, reason=reason, **parameters)
    with transaction.atomic():
        report = reports.close_report(operator=operator, report_id=report_id, outcome=outcome)
        if outcome in _ACTIONS and outcome not in _IN_SEVERAL_TRANSACTIONS:
            _ACTIONS[outcome](operator=operator, player=report.player, reason=reason, **parameters)
        _record(operator, report, outcome.value, reason)
    return report


def _record(operator: Player, report: Report, step: str, reason: str) -> OperatorAction:
    return record_action(
        operator=operator,
        action=OperatorActionType.REPORT,
        player=report.player,
        reason=reason,
        details={"report": report.pk, "step": step},
    )
