"""Who comes into the admin, and from where."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games.operators.services import Role
from tests.games.operators.conftest import count_anew
from tests.support.factories import PASSWORD, helper, logged_in, make_player, start_match

_LOG_IN = "/admin/login/"
PAGES = (
    "/admin/",
    "/admin/games/match/",
    "/admin/games/player/",
    "/admin/games/operatoraction/",
    "/admin/games/webhook/",
    "/admin/games/delivery/",
)


@pytest.mark.parametrize("page", PAGES)
def test_operators_see_every_page(database: str, page: str) -> None:
    assert logged_in(helper(Role.OPERATOR)).get(page).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_others_are_asked_who_they_are(database: str, page: str) -> None:
    player = Client()
    player.force_login(make_player())
    for client in (Client(), player):
        answer = client.get(page)
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, _LOG_IN)


def test_the_log_in_takes_the_password(database: str) -> None:
    operator, client = helper(Role.OPERATOR), Client()
    answer = client.post(f"{_LOG_IN}?next=/admin/", {"username": operator.username, "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")


def test_attempts_to_log_in_are_limited(database: str, settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 2, "account": 100, "address": 100}
    operator, client = helper(Role.OPERATOR), Client()
    for _ in range(2):
        client.post(_LOG_IN, {"username": operator.username, "password": "a guess"})
    answer = client.post(_LOG_IN, {"username": operator.username, "password": PASSWORD})
    assert answer.status_code == 200
    assert b"Too many attempts" in answer.content


def test_the_admin_is_on_its_hosts_alone(database: str, settings: Settings) -> None:
    settings.HAGGIS_ADMIN_HOSTS = ["desk.example"]
    settings.ALLOWED_HOSTS = ["desk.example", "haggis.example"]
    client = logged_in(helper(Role.OPERATOR))
    assert client.get("/admin/", headers={"host": "desk.example:8000"}).status_code == 200
    assert client.get("/admin/", headers={"host": "haggis.example"}).status_code == 404
    assert client.get(_LOG_IN, headers={"host": "haggis.example"}).status_code == 404


def test_only_the_admin_may_evaluate_scripts(database: str) -> None:
    assert "unsafe-eval" in Client().get(_LOG_IN)["Content-Security-Policy"]
    assert "unsafe" not in Client().get("/rules")["Content-Security-Policy"]


def test_lists_ask_as_often_for_many_rows_as_for_few(database: str) -> None:
    client = logged_in(helper(Role.OPERATOR))
    start_match(make_player(), make_player())
    counted = _queries(client)
    for _ in range(9):
        start_match(make_player(), make_player())
    assert _queries(client) == counted


def _queries(client: Client) -> list[int]:
    counts = []
    for page in PAGES:
        count_anew()
        with CaptureQueriesContext(connection) as asked:
            assert client.get(page).status_code == 200
        counts.append(len(asked))
    return counts


@pytest.mark.parametrize(
    ("asked", "shown"), (("ruleset=classic", 1), ("ruleset=deluxe", 0), ("players=2", 1))
)
def test_a_list_is_narrowed_without_looking_for_what_there_is(database: str, asked: str, shown: int) -> None:
    match = start_match(make_player(), make_player())
    client = logged_in(helper(Role.OPERATOR))
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/admin/games/match/?{asked}").content.decode()
    assert page.count(f"/match/{match.pk.replace('_', '_5F')}/change/") == shown
    assert not any("DISTINCT" in query["sql"] for query in queries.captured_queries)
