"""Pagination."""

import base64
import json
from datetime import datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import quote

import pytest
from django.urls import path
from django.utils import timezone
from pytest_django import Settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient

from games.api.auth import ANYONE, AccessRule
from games.api.pagination import Order, paginate
from games.api.views import ApiView
from games.identity.models import Player
from tests.support.clients import code

pytestmark = pytest.mark.urls(__name__)

ORDERS: dict[str, Order] = {}


class Players(ApiView):
    """Lists players."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}

    def get(self, request: Request) -> Response:
        return Response(
            paginate(request, Player.objects.all(), order=ORDERS["now"], show=lambda row: row.username)
        )


urlpatterns = [path("api/v1/rows", Players.as_view())]


@pytest.fixture(params=["by time", "by name", "upwards"])
def order(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Order:
    chosen = {
        "by time": Order(column="date_joined", value_type=datetime),
        "by name": Order(column="username", value_type=str),
        "upwards": Order(column="date_joined", value_type=datetime, descending=False),
    }[request.param]
    monkeypatch.setitem(ORDERS, "now", chosen)
    return chosen


@pytest.fixture
def names(database: str) -> list[str]:
    """Create seven players, two of whom joined at the same time, and return them in joining order."""
    start = timezone.now()
    hours = [1, 2, 3, 3, 4, 5, 6]
    for number, hour in enumerate(hours):
        Player.objects.create(username=f"player{number}", date_joined=start + timedelta(hours=hour))
    return [f"player{number}" for number in range(7)]


def all_pages(first_url: str, direction: str) -> list[list[str]]:
    pages, url = [], first_url
    while url:
        page = APIClient().get(url).json()
        assert page.keys() == {"next", "previous", "results"}
        pages.append(page["results"])
        url = page[direction]
    return pages


@pytest.mark.parametrize("limit", (1, 2, 3, 7, 100))
def test_paging_forwards_and_backwards_returns_each_row_once(
    names: list[str], order: Order, limit: int
) -> None:
    expected = names if not order.descending else names[::-1]
    pages = all_pages(f"/api/v1/rows?limit={limit}", "next")
    assert [name for each in pages for name in each] == expected
    assert all(len(each) == limit for each in pages[:-1])
    last = f"/api/v1/rows?limit={limit}"
    while (answer := APIClient().get(last).json())["next"]:
        last = answer["next"]
    assert [name for each in reversed(all_pages(last, "previous")) for name in each] == expected


def test_rows_inserted_between_pages_do_not_shift_the_next_page(names: list[str], order: Order) -> None:
    first = APIClient().get("/api/v1/rows?limit=3").json()
    Player.objects.create(username="player99", date_joined=timezone.now() + timedelta(days=1))
    Player.objects.create(username="a-player", date_joined=timezone.now() - timedelta(days=1))
    second = APIClient().get(first["next"]).json()
    expected = names if not order.descending else names[::-1]
    assert second["results"] == expected[3:6]


@pytest.mark.parametrize("limit", ("0", "101", "-1", "x", "1.5", "", "9" * 400, "%00", "%D9%A1"))
def test_an_invalid_limit_is_rejected(names: list[str], order: Order, limit: str) -> None:
    response = APIClient().get(f"/api/v1/rows?limit={limit}")
    assert (response.status_code, code(response)) == (400, "invalid_parameter")


def cursor(*parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    (
        "x",
        "",
        "é",
        "\0",
        "=" * 10,
        "a" * 5_000,
        cursor(),
        cursor(1),
        cursor(0, None, None),
        cursor(0, [], {}),
        cursor(0, "2026-01-01", 10**30),
        cursor(0, "x\x00", 1),
        cursor(0, 5, 5.5),
        cursor(0, "9999", "1"),
        cursor({}, {}, {}),
        base64.b64encode(b"\xff\xfe").decode(),
        cursor("0", 10**400, 1),
    ),
)
def test_an_invalid_cursor_is_rejected(names: list[str], order: Order, text: str) -> None:
    response = APIClient().get(f"/api/v1/rows?cursor={quote(text)}")
    assert (response.status_code, code(response)) == (400, "invalid_parameter")


def test_page_urls_preserve_the_other_parameters(names: list[str], order: Order) -> None:
    answer = APIClient().get("/api/v1/rows?limit=1&ruleset=classic").json()
    assert "ruleset=classic" in answer["next"]
    assert answer["previous"] is None


@pytest.mark.parametrize("scheme", ("http", "https"))
@pytest.mark.parametrize("seems", ("http", "https"))
def test_page_urls_have_the_scheme_of_the_site_address(
    names: list[str], order: Order, settings: Settings, scheme: str, seems: str
) -> None:
    settings.HAGGIS_SITE_ADDRESS = f"{scheme}://haggis.example"
    answer = APIClient().get("/api/v1/rows?limit=1", secure=seems == "https").json()
    assert answer["next"].startswith(f"{scheme}://testserver/api/v1/rows?limit=1&cursor=")


def test_a_page_takes_one_query(names: list[str], order: Order, django_assert_num_queries: Any) -> None:
    following = APIClient().get("/api/v1/rows?limit=2").json()["next"]
    with django_assert_num_queries(1):
        APIClient().get(following)
