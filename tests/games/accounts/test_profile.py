"""Own and public profiles, and deletion of accounts."""

import pytest

from games.api.models import IdempotencyKey
from games.identity.models import ApiToken, Player, Scope
from tests.support.clients import PASSWORD, anonymous_client, client_of, code, make_bot, make_person


def test_me_returns_the_whole_profile(database: str) -> None:
    player = make_person("heather", email="h@example.org", display_name="Heather")
    assert client_of(player).get("/api/v1/me").json() == {
        "username": "heather",
        "kind": "human",
        "display_name": "Heather",
        "owner": None,
        "created_at": player.date_joined.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "created": player.date_joined.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "email": "h@example.org",
        "email_confirmed": False,
        "time_zone": "UTC",
        "language": None,
        "notifications": {"email": [], "digest": [], "push": []},
        "show_online": True,
        "challenges": None,
        "notices": [],
    }


def test_me_hides_the_address_without_the_account_scope(database: str) -> None:
    me = client_of(make_person(email="h@example.org"), [Scope.MATCHES_READ]).get("/api/v1/me").json()
    assert (me["email"], me["email_confirmed"]) == (None, None)


def test_patch_changes_only_the_given_fields(database: str) -> None:
    client = client_of(make_person("heather", display_name="Heather"))
    changes = {"time_zone": "Europe/Edinburgh"}
    assert client.patch("/api/v1/me", changes).status_code == 422
    changes = {"time_zone": "Europe/London"}
    me = client.patch("/api/v1/me", changes).json()
    assert (me["time_zone"], me["display_name"]) == ("Europe/London", "Heather")
    assert client.get("/api/v1/me").json() == me


def test_patch_changes_only_the_given_notification_channel(database: str) -> None:
    client = client_of(make_person())
    client.patch("/api/v1/me", {"notifications": {"email": ["your_turn", "invitation", "your_turn"]}})
    me = client.patch("/api/v1/me", {"notifications": {"push": ["reminder"]}}).json()
    email = ["invitation", "your_turn"]
    assert me["notifications"] == {"email": email, "digest": [], "push": ["reminder"]}


def test_an_empty_patch_is_accepted(database: str) -> None:
    client = client_of(make_person())
    assert client.patch("/api/v1/me", {}).status_code == 200
    assert client.generic("PATCH", "/api/v1/me").status_code == 200


def test_the_address_can_be_removed(database: str) -> None:
    client = client_of(make_person(email="h@example.org", email_confirmed=True))
    me = client.patch("/api/v1/me", {"email": None}).json()
    assert (me["email"], me["email_confirmed"]) == (None, False)


def test_setting_the_same_address_leaves_it_confirmed(database: str) -> None:
    client = client_of(make_person(email="h@example.org", email_confirmed=True))
    assert client.patch("/api/v1/me", {"email": "h@example.org"}).json()["email_confirmed"] is True


def test_deleting_an_account_removes_all_personal_data(database: str) -> None:
    player = make_person("heather", email="h@example.org", display_name="Heather", is_staff=True)
    make_bot(player, "robot")
    client = client_of(player)
    assert client.delete("/api/v1/me").status_code == 204
    assert client.get("/api/v1/me").status_code == 401
    assert not ApiToken.objects.exists()
    assert not IdempotencyKey.objects.exists()
    rows = repr(list(Player.objects.values()))
    for trace in ("heather", "Heather", "example.org", "robot"):
        assert trace not in rows
    row = Player.objects.get(pk=player.pk)
    assert row.username.startswith("deleted-")
    assert (row.is_active, row.is_staff, row.has_usable_password()) == (False, False, False)
    assert anonymous_client().get(f"/api/v1/players/{row.username}").status_code == 404
    answer = anonymous_client().post("/api/v1/auth/token", {"username": "heather", "password": PASSWORD})
    assert code(answer) == "invalid_credentials"


@pytest.mark.parametrize("name", ("heather", "HEATHER"))
def test_public_profiles_need_no_token_and_contain_no_address(database: str, name: str) -> None:
    make_person("Heather", email="h@example.org")
    answer = anonymous_client().get(f"/api/v1/players/{name}")
    assert answer.json().keys() == {
        *("username", "kind", "display_name", "owner", "created_at", "created", "challenges", "ratings")
    }
    assert "example.org" not in answer.content.decode()


def test_the_profile_of_a_bot_names_its_owner(database: str) -> None:
    make_bot(make_person("heather"), "robot")
    answer = anonymous_client().get("/api/v1/players/robot").json()
    assert (answer["kind"], answer["owner"]) == ("bot", "heather")


@pytest.mark.parametrize("name", ("nobody-here", "banned"))
def test_unknown_and_banned_players_are_not_found(database: str, name: str) -> None:
    make_person("banned", is_active=False)
    answer = anonymous_client().get(f"/api/v1/players/{name}")
    assert (answer.status_code, code(answer)) == (404, "not_found")
