"""Reports in the admin: the queue, the decision of a case, and who may decide it."""

from typing import Any

import pytest
from django.test import Client

from games.core.errors import Problem
from games.identity.models import AccountNotice, Player
from games.operators.cases import decide_report
from games.operators.models import OperatorAction
from games.operators.services import Role
from games.reports.models import Report, ReportOutcome
from games.reports.services import create_report
from tests.support.factories import logged_in_client, make_operator, make_player, start_match


@pytest.fixture
def report(database: str) -> Report:
    """Return a report about a match."""
    reporter, rude = make_player("upset-one"), make_player("rude-one")
    match = start_match(reporter, rude)
    return create_report(
        reporter=reporter, username="rude-one", match=match.pk, reason="abuse", text="swears at me"
    )


@pytest.fixture
def client(database: str) -> Client:
    """Return the browser of a moderator."""
    return logged_in_client(make_operator(Role.MODERATOR))


def url(report: Report, action: str = "change") -> str:
    return f"/admin/games/report/{report.pk}/{action}/"


def text(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_queue_shows_open_reports_only(report: Report, client: Client) -> None:
    queue = "/admin/games/report/"
    assert "rude-one" in text(client, queue)
    client.post(url(report, "dismiss"), {"reason": "harmless"})
    assert "rude-one" not in text(client, queue)
    assert "rude-one" in text(client, f"{queue}?status=all")
    assert "rude-one" in text(client, f"{queue}?status=dismissed")


def test_page_of_a_report_links_to_both_players_and_the_match(report: Report, client: Client) -> None:
    shown = text(client, url(report))
    for part in ("swears at me", report.match_id, "rude-one", "upset-one"):
        assert part in shown
    assert f"/games/player/{report.player_id}/change/" in shown
    assert f"/games/player/{report.reporter_id}/change/" in shown


def test_claimed_report_is_decided_by_its_moderator(report: Report, client: Client) -> None:
    other = logged_in_client(make_operator(Role.MODERATOR))
    assert client.post(url(report, "claim"), {"_": ""}).status_code == 302
    assert other.post(url(report, "dismiss"), {"reason": "harmless"}).status_code == 404
    client.post(url(report, "note"), {"reason": "asked both of them"})
    assert "asked both of them" in text(other, url(report))
    client.post(url(report, "warn"), {"reason": "swears", "message": "Please be kind."})
    report.refresh_from_db()
    assert report.outcome == ReportOutcome.WARNED
    assert AccountNotice.objects.get(player=report.player).text == "Please be kind."


@pytest.mark.parametrize(
    ("action", "fields", "outcome"),
    (
        ("rename", {"message": "Choose another name."}, "renamed"),
        ("suspend", {"message": "Be kind.", "days": 3}, "suspended"),
        ("ban", {}, "banned"),
        ("dismiss", {}, "dismissed"),
    ),
)
def test_outcome_acts_on_the_player_and_closes_the_report(
    report: Report, client: Client, action: str, fields: dict[str, Any], outcome: str
) -> None:
    assert client.post(url(report, action), {"reason": "as it says", **fields}).status_code == 302
    report.refresh_from_db()
    player = Player.objects.get(pk=report.player_id)
    assert report.outcome == outcome
    assert (player.username != "rude-one", player.is_suspended, not player.is_active) == (
        outcome == "renamed",
        outcome == "suspended",
        outcome == "banned",
    )
    assert OperatorAction.objects.filter(action="report", details__report=report.pk).exists()


def test_report_stays_open_if_the_action_is_refused(report: Report) -> None:
    Player.objects.filter(pk=report.player_id).update(is_staff=True)
    with pytest.raises(Problem, match="Dismiss this member"):
        decide_report(
            operator=make_player(),
            report_id=report.pk,
            outcome=ReportOutcome.SUSPENDED,
            reason="insults",
            message="Be kind.",
            days=3,
        )
    report.refresh_from_db()
    assert report.outcome == ""


def test_moderator_cannot_decide_a_case_of_their_own(database: str) -> None:
    moderator = make_operator(Role.MODERATOR)
    report = create_report(reporter=make_player(), username=moderator.username, reason="abuse")
    client = logged_in_client(moderator)
    for action in ("claim", "note", "dismiss"):
        assert client.post(url(report, action), {"reason": "nonsense"}).status_code == 404


def test_reports_are_counted_on_the_dashboard_and_shown_on_the_pages(report: Report) -> None:
    client = logged_in_client(make_operator(Role.OPERATOR))
    assert "Open reports" in text(client, "/admin/")
    assert url(report) in text(client, f"/admin/games/player/{report.player_id}/change/")
    assert url(report) in text(client, f"/admin/games/match/{report.match_id}/change/")


def test_queue_is_found_by_player_and_by_link_of_a_match(report: Report, client: Client) -> None:
    create_report(reporter=make_player("somebody"), username="upset-one", reason="name")
    link = f"https://haggis.example/matches/{report.match_id}"
    shown = text(client, f"/admin/games/report/?q={link}")
    assert (url(report) in shown, "somebody" in shown) == (True, False)
    assert "somebody" in text(client, "/admin/games/report/?q=somebody")
