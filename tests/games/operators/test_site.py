"""Access to the admin site and its lists."""

from hashlib import sha256
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import Role
from tests.games.operators.conftest import clear_cached_counts
from tests.support.factories import PASSWORD, logged_in_client, make_operator, make_player, start_match

_LOGIN_URL = "/admin/login/"
# dist/cdn.min.js of @alpinejs/csp 3.17.4, as npm delivers it.
_ALPINE_SHA256 = "0d18d7f8d7910e2e0212f0f056b12f50bebc3abb7d88d2f7c7cb4c336fe4519a"
PAGES = (
    "/admin/",
    "/admin/games/match/",
    "/admin/games/player/",
    "/admin/games/operatoraction/",
    "/admin/games/webhook/",
    "/admin/games/delivery/",
    "/admin/games/notice/",
    "/admin/games/report/",
)


@pytest.mark.parametrize("page", PAGES)
def test_operators_see_every_page(database: str, page: str) -> None:
    assert logged_in_client(make_operator(Role.OPERATOR)).get(page).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_others_are_redirected_to_the_login_page(database: str, page: str) -> None:
    player = Client()
    player.force_login(make_player())
    for client in (Client(), player):
        answer = client.get(page)
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, _LOGIN_URL)


def test_login_with_a_password_succeeds(database: str) -> None:
    operator, client = make_operator(Role.OPERATOR), Client()
    answer = client.post(f"{_LOGIN_URL}?next=/admin/", {"username": operator.username, "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")


def test_login_attempts_are_limited(database: str, settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 2, "account": 100, "address": 100}
    operator, client = make_operator(Role.OPERATOR), Client()
    for _ in range(2):
        client.post(_LOGIN_URL, {"username": operator.username, "password": "a guess"})
    answer = client.post(_LOGIN_URL, {"username": operator.username, "password": PASSWORD})
    assert answer.status_code == 200
    assert b"Too many attempts" in answer.content


def test_admin_is_served_only_on_the_admin_hosts(database: str, settings: Settings) -> None:
    settings.HAGGIS_ADMIN_HOSTS = ["desk.example"]
    settings.ALLOWED_HOSTS = ["desk.example", "haggis.example"]
    client = logged_in_client(make_operator(Role.OPERATOR))
    assert client.get("/admin/", headers={"host": "desk.example:8000"}).status_code == 200
    assert client.get("/admin/", headers={"host": "haggis.example"}).status_code == 404
    assert client.get(_LOGIN_URL, headers={"host": "haggis.example"}).status_code == 404


def test_admin_executes_only_scripts_of_its_own_origin(database: str) -> None:
    policy = Client().get(_LOGIN_URL)["Content-Security-Policy"]
    directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert directives["script-src"] == "'self'"
    assert directives["style-src"] == "'self' 'unsafe-inline'"
    assert "unsafe" not in Client().get("/rules")["Content-Security-Policy"]


def test_alpine_is_the_build_that_evaluates_no_strings() -> None:
    path = finders.find("unfold/js/alpine/alpine.js")
    comment, _, published = Path(str(path)).read_text(encoding="utf-8").partition("*/\n")
    assert "@alpinejs/csp" in comment
    assert sha256(published.encode()).hexdigest() == _ALPINE_SHA256


def test_number_of_queries_of_lists_does_not_depend_on_the_number_of_rows(database: str) -> None:
    client = logged_in_client(make_operator(Role.OPERATOR))
    start_match(make_player(), make_player())
    counts = _count_queries(client)
    for _ in range(9):
        start_match(make_player(), make_player())
    assert _count_queries(client) == counts


def _count_queries(client: Client) -> list[int]:
    counts = []
    for page in PAGES:
        clear_cached_counts()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(page).status_code == 200
        counts.append(len(queries))
    return counts


@pytest.mark.parametrize(
    ("parameters", "count"), (("ruleset=classic", 1), ("ruleset=deluxe", 0), ("players=2", 1))
)
def test_list_filters_do_not_query_for_distinct_values(database: str, parameters: str, count: int) -> None:
    match = start_match(make_player(), make_player())
    client = logged_in_client(make_operator(Role.OPERATOR))
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/admin/games/match/?{parameters}").content.decode()
    assert page.count(f"/match/{match.pk.replace('_', '_5F')}/change/") == count
    assert not any("DISTINCT" in query["sql"] for query in queries.captured_queries)


def test_audit_log_names_actions_and_filters_by_them(database: str) -> None:
    operator = make_operator(Role.OPERATOR)
    client = logged_in_client(operator)
    OperatorAction.objects.create(
        operator=operator, action=OperatorActionType.BAN, player=make_player(), reason="cheating"
    )
    page = client.get("/admin/games/operatoraction/").content.decode()
    assert "Ban" in page
    found = {
        value: len(client.get(f"/admin/games/operatoraction/?action={value}").context["cl"].result_list)
        for value in ("ban", "annul")
    }
    assert found == {"ban": 1, "annul": 0}
