from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.identity.models import Player
from games.lobby.services.membership import cancel_match, decline_invitation, join_match
from games.matches.models.match import Match
from games.play.resignation import resign
from tests.support.clients import ROOT, anonymous_client, client_of, list_match_ids
from tests.support.factories import ME, OPEN, JsonObject, ai, invited, make_player, make_table

pytestmark = pytest.mark.usefixtures("database")


def ids(*tables: JsonObject) -> list[str]:
    return [table["id"] for table in tables]


def test_the_lobby_lists_public_matches_newest_first() -> None:
    tables = [make_table(), make_table(None, ME, ai()), make_table(ruleset="deluxe")]
    make_table(visibility="unlisted")
    make_table(None, ME, invited(make_player()), visibility="private")
    assert list_match_ids(anonymous_client()) == ids(*reversed(tables))
    assert list_match_ids(anonymous_client(), ordering="created_at") == ids(*tables)


def test_the_lobby_hides_private_matches_from_their_maker_too() -> None:
    maker = make_player()
    make_table(maker, ai(), ai(), visibility="private")
    assert list_match_ids(client_of(maker)) == []


def test_the_lobby_can_be_filtered() -> None:
    maker = make_player()
    waiting, full, deluxe = make_table(), make_table(None, ME, ai(), hold=True), make_table(ruleset="deluxe")
    running, called_off = make_table(None, ME, ai()), make_table(maker)
    cancel_match(match_id=called_off["id"], player=maker)
    over = make_table(maker, ME, ai())
    resign(match_id=over["id"], player=maker)
    assert list_match_ids(anonymous_client(), status="open") == ids(deluxe, full, waiting)
    assert list_match_ids(anonymous_client(), status="open", open_seats="true") == ids(deluxe, waiting)
    assert list_match_ids(anonymous_client(), open_seats="true") == ids(deluxe, waiting)
    assert list_match_ids(anonymous_client(), open_seats="false") == ids(over, called_off, running, full)
    assert list_match_ids(anonymous_client(), status="active") == ids(running)
    assert list_match_ids(anonymous_client(), status="finished") == ids(over)
    assert list_match_ids(anonymous_client(), status="cancelled") == ids(called_off)
    assert list_match_ids(anonymous_client(), ruleset="deluxe") == ids(deluxe)
    assert list_match_ids(anonymous_client(), ruleset="deluxe", status="active") == []


def test_a_listed_match_has_the_members_needed_to_choose_it() -> None:
    maker = make_player("heather")
    table = make_table(maker, ME, OPEN, ai())
    (shown,) = anonymous_client().get(f"{ROOT}/matches").json()["results"]
    for same in ("id", "ruleset", "options", "players", "target_score", "clock", "seats", "anchor", "maker"):
        assert shown[same] == table[same]
    assert (shown["open_seats"], shown["status"], shown["maker"]) == (1, "open", "heather")
    assert "round" not in shown


def test_pages_link_to_the_next_and_previous_page() -> None:
    maker = make_player()
    tables = [make_table(maker) for _ in range(5)]
    assert list_match_ids(anonymous_client(), limit="2") == ids(*reversed(tables))
    assert list_match_ids(anonymous_client(), limit="2", player=maker.username) == ids(*reversed(tables))
    assert list_match_ids(anonymous_client(), limit="2", player=maker.username, ordering="created_at") == ids(
        *tables
    )
    answer = anonymous_client().get(f"{ROOT}/matches?limit=2")
    first = answer.json()
    assert answer["Link"] == f'<{first["next"]}>; rel="next"'
    answer = anonymous_client().get(first["next"])
    second = answer.json()
    assert answer["Link"] == f'<{second["next"]}>; rel="next", <{second["previous"]}>; rel="prev"'
    back = anonymous_client().get(second["previous"]).json()
    assert [match["id"] for match in back["results"]] == [match["id"] for match in first["results"]]


@pytest.fixture
def ours() -> tuple[Player, dict[str, JsonObject]]:
    """Return a player with a match of every kind."""
    player, other = make_player("heather"), make_player("moss")
    tables = {
        "public": make_table(player),
        "unlisted": make_table(player, ME, OPEN, visibility="unlisted"),
        "private": make_table(player, ME, invited(other), visibility="private"),
        "running": make_table(player, ME, ai()),
        "invited": make_table(other, ME, invited(player)),
        "privately": make_table(other, ME, invited(player), visibility="private"),
        "watched": make_table(player, ai(), ai(), visibility="private"),
    }
    return player, tables


def test_a_player_can_list_all_their_own_matches(ours: tuple[Player, dict[str, JsonObject]]) -> None:
    player, tables = ours
    mine = ids(*[tables[name] for name in ("running", "private", "unlisted", "public")])
    client = client_of(player)
    assert list_match_ids(client, player="me") == mine
    assert list_match_ids(client, player="Heather") == mine
    assert list_match_ids(client, "players/heather/matches") == mine
    assert list_match_ids(client, player="me", status="active") == ids(tables["running"])
    made = ids(*[tables[name] for name in ("watched", "running", "private", "unlisted", "public")])
    assert list_match_ids(client, maker="me") == made


def test_others_can_list_only_public_matches_of_a_player(ours: tuple[Player, dict[str, JsonObject]]) -> None:
    _, tables = ours
    public = ids(tables["running"], tables["public"])
    for client in (
        anonymous_client(),
        client_of(make_player()),
        client_of(Player.objects.get(username="moss")),
    ):
        assert list_match_ids(client, player="heather") == public
        assert list_match_ids(client, maker="heather") == public
        assert list_match_ids(client, "players/heather/matches") == public


def test_running_matches_of_a_player_are_listed_most_urgent_first(settings: Any) -> None:
    player = make_player()
    now = timezone.now()
    names = ("theirs", "mine", "soon", "late", "over", "waiting")
    tables = {name: make_table(player, ME, ai()) for name in names[:-1]}
    tables["waiting"] = make_table(player)
    turns = {"theirs": (1, now), "mine": (0, None), "soon": (0, now + timedelta(minutes=1))}
    turns["late"] = (0, now - timedelta(minutes=1))
    for name, (to_act, deadline) in turns.items():
        Match.objects.filter(pk=tables[name]["id"]).update(to_act=to_act, deadline=deadline)
    resign(match_id=tables["over"]["id"], player=player)
    client = client_of(player)
    assert list_match_ids(client, "me/matches")[:3] == ids(tables["late"], tables["soon"], tables["mine"])
    assert set(list_match_ids(client, "me/matches")[3:]) == set(ids(tables["theirs"], tables["waiting"]))
    assert list_match_ids(client, "me/matches", limit="1") == list_match_ids(client, "me/matches")
    shown = {match["id"]: match for match in client.get(f"{ROOT}/me/matches").json()["results"]}
    soon, late, waiting = (shown[tables[name]["id"]] for name in ("soon", "late", "waiting"))
    assert (soon["my_turn"], soon["my_seat"], 50 <= soon["seconds_left"] <= 60) == (True, 0, True)
    assert (late["my_turn"], late["seconds_left"]) == (True, 0)
    assert (waiting["my_turn"], waiting["deadline"], waiting["seconds_left"]) == (False, None, None)


def test_a_resigned_match_is_not_among_the_running_matches() -> None:
    player = make_player()
    table = make_table(player, ME, ai(), ai())
    resign(match_id=table["id"], player=player)
    client = client_of(player)
    assert list_match_ids(client, "me/matches") == []
    assert list_match_ids(client, player="me") == ids(table)


def test_invitations_are_listed_until_they_are_accepted_or_declined() -> None:
    player, maker = make_player(), make_player("heather")
    pending = make_table(maker, ME, OPEN, invited(player), visibility="unlisted")
    private = make_table(maker, ME, invited(player), visibility="private")
    declined, accepted = (make_table(maker, ME, invited(player)) for _ in range(2))
    called_off = make_table(maker, ME, invited(player))
    decline_invitation(match_id=declined["id"], player=player)
    join_match(match_id=accepted["id"], player=player)
    cancel_match(match_id=called_off["id"], player=maker)
    client = client_of(player)
    assert list_match_ids(client, "me/invitations") == ids(private, pending)
    shown = client.get(f"{ROOT}/me/invitations").json()["results"][1]
    assert (shown["my_seat"], shown["maker"]) == (2, "heather")
    assert list_match_ids(client_of(maker), "me/invitations") == []
    assert list_match_ids(client, "me/matches") == ids(accepted)


@pytest.mark.parametrize(
    ("path", "queries"),
    (
        ("matches", 3),
        ("matches?status=open&open_seats=true&ruleset=classic", 3),
        ("matches?player=me", 3),
        ("matches?player=heather", 4),
        ("players/heather/matches", 4),
        ("matches?maker=me", 3),
        ("me/matches", 4),  # one of them finds the versions, for the ETag
        ("me/invitations", 3),
    ),
)
def test_the_number_of_queries_does_not_grow_with_the_list(
    path: str, queries: int, django_assert_num_queries: Callable[..., Any]
) -> None:
    heather, moss = make_player("heather"), make_player("moss")
    client = client_of(heather)
    for most in (3, 30):
        while Match.objects.count() < 2 * most:
            make_table(heather, ME, OPEN, ai())
            make_table(moss, ME, invited(heather), ai())
        with django_assert_num_queries(queries):
            page = client.get(f"{ROOT}/{path}{'&' if '?' in path else '?'}limit=100").json()
        assert len(page["results"]) >= most
