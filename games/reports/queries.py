"""Read reports."""

from django.db.models import Count, F, QuerySet

from games.core.errors import require_found
from games.identity.models import Player
from games.reports.models import Report


def open_reports() -> QuerySet[Report]:
    """Return the reports that nobody has decided yet, oldest first."""
    return Report.objects.filter(outcome="").order_by("pk")


def require_report(report_id: int) -> Report:
    """Return a report with its players, or raise `not_found`."""
    reports = Report.objects.select_related("reporter", "player", "claimed_by")
    return require_found(reports.filter(pk=report_id).first())


def other_reports(report: Report) -> QuerySet[Report]:
    """Return the other reports about the same player, newest first."""
    return Report.objects.filter(player=report.player_id).exclude(pk=report.pk).order_by("-pk")


def outcomes_of_reporter(player: Player) -> dict[str, int]:
    """Return how the closed reports of a player were decided: how often each outcome occurred."""
    closed = Report.objects.filter(reporter=player).exclude(outcome="").order_by()
    return dict(closed.values_list(F("outcome")).annotate(Count("pk")))
