"""What is finished and public can be cached by everybody; what names players or can change is revalidated."""

import pytest
from rest_framework.test import APIClient

from games.core.errors import Problem
from games.identity.models import Player
from games.operators.services import Role, annul_match
from games.play.resignation import resign
from games.privacy.services import delete_account
from tests.support.clients import ROOT, anonymous_client, client_of
from tests.support.factories import ME, OPEN, ai, make_operator, make_player, make_table

pytestmark = pytest.mark.usefixtures("database")

WEEK = "public, max-age=604800"
REVALIDATED = "public, no-cache"
VIEWER = "private, no-cache"


def finished(player: Player, visibility: str = "public") -> str:
    table = make_table(player, ME, ai(), visibility=visibility)
    resign(match_id=table["id"], player=player)
    return str(table["id"])


def caching(client: APIClient, path: str) -> str:
    answer = client.get(f"{ROOT}/{path}")
    assert answer.status_code == 200, answer.content
    again = client.get(f"{ROOT}/{path}", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again["Cache-Control"]) == (304, answer["Cache-Control"])
    assert again["ETag"] == answer["ETag"]
    assert {"Authorization", "Accept"} <= {name.strip() for name in answer["Vary"].split(",")}
    return str(answer["Cache-Control"])


@pytest.mark.parametrize(
    ("path", "expected"),
    (
        ("rounds", WEEK),
        ("rounds/1", WEEK),
        ("moves?limit=1", WEEK),
        ("moves", WEEK),
        ("record", REVALIDATED),
        ("", VIEWER),
    ),
)
def test_what_is_final_and_names_nobody_is_public_for_a_week(path: str, expected: str) -> None:
    match_id = finished(make_player())
    address = f"matches/{match_id}/{path}".rstrip("/")
    assert caching(anonymous_client(), address) == expected
    for player in (make_player(), make_player()):
        assert caching(client_of(player), address) == expected.replace("public", "private")


def test_the_etag_is_strong_and_the_same_for_everybody_without_a_token() -> None:
    address = f"{ROOT}/matches/{finished(make_player())}/rounds"
    first, second = anonymous_client().get(address), anonymous_client().get(address)
    assert first["ETag"] == second["ETag"]
    assert first["ETag"].startswith('"')
    assert first.content == second.content
    mine = client_of(make_player()).get(address)["ETag"]
    assert mine.startswith('W/"')
    assert mine != first["ETag"]


def test_a_running_match_and_one_that_is_not_public_are_for_their_viewer_only() -> None:
    player = make_player()
    running = make_table(player, ME, ai())["id"]
    unlisted = finished(player, "unlisted")
    open_match = make_table(player, ME, OPEN)["id"]
    for match_id in (running, unlisted, open_match):
        for path in ("rounds", "moves?limit=1", "record"):
            assert caching(anonymous_client(), f"matches/{match_id}/{path}") == VIEWER


def test_the_deletion_of_an_account_changes_only_what_is_revalidated() -> None:
    player = make_player()
    match_id = finished(player)
    paths = ("rounds", "rounds/1", "moves?limit=1", "moves", "record")
    before = {path: anonymous_client().get(f"{ROOT}/matches/{match_id}/{path}") for path in paths}
    delete_account(player=player)
    for path, old in before.items():
        new = anonymous_client().get(f"{ROOT}/matches/{match_id}/{path}")
        if old["Cache-Control"] == WEEK:
            assert new.content == old.content, path
        else:
            assert new.content != old.content, path
            assert new["ETag"] != old["ETag"]


def test_a_finished_match_cannot_be_annulled_so_that_its_log_is_final() -> None:
    match_id = finished(make_player())
    with pytest.raises(Problem) as refused:
        annul_match(operator=make_operator(Role.OPERATOR), match_id=match_id, reason="test")
    assert refused.value.code == "match_not_active"


def test_a_version_of_a_rule_set_is_final_and_the_current_one_is_not() -> None:
    version = anonymous_client().get(f"{ROOT}/rulesets/classic").json()["version"]
    assert caching(anonymous_client(), "rulesets/classic") == REVALIDATED
    assert caching(anonymous_client(), "rulesets") == REVALIDATED
    assert caching(anonymous_client(), f"rulesets/classic?version={version}") == WEEK


def test_a_public_response_does_not_repeat_the_limits_of_one_caller(settings: object) -> None:
    settings.HAGGIS_LIMITS = {"address": (100, 60)}  # type: ignore[attr-defined]
    match_id = finished(make_player())
    assert "RateLimit" not in anonymous_client().get(f"{ROOT}/matches/{match_id}/rounds")
    assert "RateLimit" in anonymous_client().get(f"{ROOT}/matches/{match_id}")
