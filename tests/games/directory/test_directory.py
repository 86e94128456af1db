"""The directory of players, who is online, and whom a player follows."""

import os
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from games.directory.models import Follow
from games.directory.queries import DirectoryFilter, listed_players
from games.identity.models import Player, PlayerKind
from games.privacy.services import delete_account
from tests.support.clients import (
    ROOT,
    anonymous_client,
    client_of,
    code,
    field_errors,
    make_bot,
    make_guest,
    make_person,
)

STORED = int(os.environ.get("HAGGIS_STORED", "10000"))


def names(client: APIClient, query: str = "", path: str = "players") -> list[str]:
    answer = client.get(f"{ROOT}/{path}{query}")
    assert answer.status_code == 200, answer.content
    return [player["username"] for player in answer.json()["results"]]


@pytest.fixture
def people(database: str) -> dict[str, Player]:
    """Create some players: three people, a bot, a guest and a banned person."""
    heather = make_person("heather", display_name="Anna of the Moor")
    people = {
        "heather": heather,
        "annabel": make_person("annabel"),
        "Anna_2": make_person("Anna_2", display_name="Zoe"),
        "anna-bot": make_bot(heather, "anna-bot")[0],
        "banned": make_person("annabanned", is_active=False),
    }
    make_guest()
    return people


@pytest.fixture
def online(people: dict[str, Player], monkeypatch: pytest.MonkeyPatch) -> dict[str, Player]:
    """Let heather and annabel have an open stream."""
    streaming = frozenset(people[name].pk for name in ("heather", "annabel"))
    for module in ("api", "queries"):
        monkeypatch.setattr(f"games.directory.{module}.online_players", lambda: streaming)
    return people


@pytest.mark.usefixtures("people")
def test_the_directory_lists_people_and_bots_but_no_guests_and_no_banned_players() -> None:
    everybody = ["anna-bot", "Anna_2", "annabel", "heather"]
    assert names(anonymous_client()) == everybody
    for oldest_first in ("created_at", "created"):
        assert names(anonymous_client(), f"?ordering={oldest_first}") == everybody[::-1]
    assert names(anonymous_client(), "?ordering=-created_at") == everybody
    assert names(anonymous_client(), "?kind=bot") == ["anna-bot"]
    assert names(anonymous_client(), "?kind=human") == everybody[1:]


@pytest.mark.usefixtures("people")
def test_the_directory_is_paginated() -> None:
    first = anonymous_client().get(f"{ROOT}/players?limit=3&kind=human&q=an").json()
    assert first["next"] is None
    first = anonymous_client().get(f"{ROOT}/players?limit=1&q=an").json()
    second = anonymous_client().get(first["next"]).json()
    assert [page["results"][0]["username"] for page in (first, second)] == ["anna-bot", "Anna_2"]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("text", "found"),
    (
        ("anna", {"anna-bot", "Anna_2", "annabel", "heather"}),
        ("ANNA", {"anna-bot", "Anna_2", "annabel", "heather"}),
        ("anna_", {"Anna_2"}),
        ("zo", {"Anna_2"}),
        ("he", {"heather"}),
        ("na", set()),
        ("%%", set()),
    ),
)
def test_a_search_covers_the_start_of_usernames_and_display_names(text: str, found: set[str]) -> None:
    assert set(names(anonymous_client(), f"?q={text.replace('%', '%25')}")) == found


@pytest.mark.parametrize("query", ("q=a", f"q={'a' * 51}", "kind=guest", "online=1", "name=a", "ordering=a"))
def test_invalid_parameters_are_rejected(database: str, query: str) -> None:
    assert code(anonymous_client().get(f"{ROOT}/players?{query}")) == "invalid_parameter"


def test_who_has_a_stream_is_online(online: dict[str, Player]) -> None:
    assert names(anonymous_client(), "?online=true") == ["annabel", "heather"]
    shown = {
        player["username"]: player["online"]
        for player in anonymous_client().get(f"{ROOT}/players").json()["results"]
    }
    assert shown == {"heather": True, "annabel": True, "Anna_2": False, "anna-bot": False}


def test_who_hides_it_is_not_shown_as_online(online: dict[str, Player]) -> None:
    heather = client_of(online["heather"])
    assert heather.get(f"{ROOT}/me").json()["show_online"] is True
    assert heather.patch(f"{ROOT}/me", {"show_online": False}).json()["show_online"] is False
    assert names(anonymous_client(), "?online=true") == ["annabel"]
    listed = anonymous_client().get(f"{ROOT}/players?q=heather").json()["results"]
    assert listed[0]["online"] is False
    client_of(online["annabel"]).put(f"{ROOT}/me/follows/heather", {})
    (followed,) = client_of(online["annabel"]).get(f"{ROOT}/me/follows").json()["results"]
    assert followed["online"] is False


@pytest.mark.usefixtures("people")
def test_nobody_is_online_while_the_cache_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr("games.realtime.remote_connections.cache.get", fail)
    assert names(anonymous_client(), "?online=true") == []


def test_a_player_follows_others(people: dict[str, Player]) -> None:
    client = client_of(people["annabel"])
    assert client.put(f"{ROOT}/me/follows/Heather", {}).json()["username"] == "heather"
    since = client.put(f"{ROOT}/me/follows/anna-bot", {}).json()["since"]
    assert client.put(f"{ROOT}/me/follows/anna-bot", {}).json()["since"] == since
    assert names(client, path="me/follows") == ["anna-bot", "heather"]
    assert names(client, "?follows=true") == ["anna-bot", "heather"]
    assert names(client, "?follows=true&kind=bot") == ["anna-bot"]
    assert names(client_of(people["heather"]), "?follows=true") == []
    assert client.delete(f"{ROOT}/me/follows/heather").status_code == 204
    assert client.delete(f"{ROOT}/me/follows/heather").status_code == 204
    assert names(client, path="me/follows") == ["anna-bot"]


def test_follows_need_a_token_and_another_player(people: dict[str, Player]) -> None:
    assert code(anonymous_client().get(f"{ROOT}/players?follows=true")) == "not_authenticated"
    client = client_of(people["annabel"])
    assert field_errors(client.put(f"{ROOT}/me/follows/annabel", {})) == {("", "invalid")}
    assert client.put(f"{ROOT}/me/follows/nobody-here", {}).status_code == 404


def test_the_number_of_follows_is_limited(people: dict[str, Player], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.directory.services.MAX_FOLLOWS", 1)
    client = client_of(people["annabel"])
    client.put(f"{ROOT}/me/follows/heather", {})
    answer = client.put(f"{ROOT}/me/follows/anna-bot", {})
    assert (answer.status_code, code(answer), answer.json()["largest"]) == (409, "limit_reached", 1)


def test_a_deleted_account_follows_nobody_and_is_followed_by_nobody(people: dict[str, Player]) -> None:
    for follower, followed in (("annabel", "heather"), ("heather", "annabel"), ("Anna_2", "annabel")):
        client_of(people[follower]).put(f"{ROOT}/me/follows/{followed}", {})
    delete_account(player=people["heather"])
    assert list(Follow.objects.values_list("follower__username", "followed__username")) == [
        ("Anna_2", "annabel")
    ]


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
@pytest.mark.parametrize(
    "directory_filter", (DirectoryFilter(), DirectoryFilter(kind="bot"), DirectoryFilter(kind="human"))
)
def test_pages_of_a_large_directory_read_an_index(
    committing_database: str, directory_filter: DirectoryFilter
) -> None:
    fill_directory()
    plan = explain(listed_players(directory_filter, None).order_by("-pk")[:21])
    assert rows_read(plan) <= 2 * 30, plan
    assert "Seq Scan on games_player" not in plan, plan


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
def test_a_search_in_a_large_directory_reads_a_range_of_an_index(committing_database: str) -> None:
    fill_directory()
    with connection.execute_wrapper(explain_searches) as _:
        plans.clear()
        listed_players(DirectoryFilter(search="common-99"), None)
    assert len(plans) == 4, plans
    for plan in plans:
        assert "Index Scan" in plan, plan
        assert "Seq Scan" not in plan, plan
        assert "Rows Removed by Filter" not in plan, plan
        assert rows_read(plan) <= 500, plan
    assert any(rows_read(plan) > 20 for plan in plans), plans


plans: list[str] = []


def explain_searches(execute: Any, sql: str, params: Any, *others: Any) -> Any:
    """Record the plan of every search."""
    if "COLLATE" in sql:
        with connection.connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN ANALYZE {sql}", params)
            plans.append("\n".join(str(line[0]) for line in cursor.fetchall()))
    return execute(sql, params, *others)


def fill_directory() -> None:
    """Store many people with similar names, as many guests, and a few bots."""
    Player.objects.bulk_create(
        (
            Player(
                username=f"common-{number}",
                display_name=f"Common-{number}",
                kind=PlayerKind.GUEST if number % 2 else PlayerKind.HUMAN,
            )
            for number in range(STORED)
        ),
        batch_size=2000,
    )
    owner = Player.objects.get(username="common-0")
    Player.objects.bulk_create(
        Player(username=f"robot-{number}", kind=PlayerKind.BOT, owner=owner) for number in range(30)
    )
    # At last as many guests again, so that the newest accounts are guests.
    Player.objects.bulk_create(
        Player(username=f"guest-{number}", kind=PlayerKind.GUEST) for number in range(STORED)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_player")


def explain(players: Any) -> str:
    return str(players.explain(analyze=True))


def rows_read(plan: str) -> int:
    """Return the most rows that a step of a plan returned."""
    return max(int(part.split("rows=")[1].split()[0].split(".")[0]) for part in plan.split("(actual ")[1:])
