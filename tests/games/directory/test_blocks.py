"""Players who block each other do not meet in a match."""

from functools import partial

import pytest

from games.directory.models import Follow
from games.directory.services import block
from games.identity.models import Block, Player
from games.lobby.services.creation import refill_seat
from games.lobby.services.membership import accept_invitation, decline_invitation, join_match, leave_match
from games.lobby.services.rematches import create_or_join_rematch
from games.play.resignation import resign
from games.privacy.services import delete_account
from tests.support.clients import ROOT, client_of, code, field_errors, make_bot, make_person, post_to_match
from tests.support.concurrency import run_concurrently
from tests.support.factories import ME, OPEN, ai, invited, make_table, raises_problem, stored_match


@pytest.fixture
def people(database: str) -> dict[str, Player]:
    """Create three people, and a bot of the second."""
    people = {name: make_person(name) for name in ("bracken", "heather", "tansy")}
    return {**people, "heather-bot": make_bot(people["heather"], "heather-bot")[0]}


def test_a_player_blocks_others_and_nobody_else_sees_it(people: dict[str, Player]) -> None:
    client = client_of(people["bracken"])
    since = client.put(f"{ROOT}/me/blocks/Heather", {}).json()["since"]
    assert client.put(f"{ROOT}/me/blocks/heather", {}).json()["since"] == since
    assert client.put(f"{ROOT}/me/blocks/tansy", {}).json()["username"] == "tansy"
    blocked = client.get(f"{ROOT}/me/blocks").json()["results"]
    assert [player["username"] for player in blocked] == ["tansy", "heather"]
    assert "online" not in blocked[0]
    assert client_of(people["heather"]).get(f"{ROOT}/me/blocks").json()["results"] == []
    assert client.delete(f"{ROOT}/me/blocks/heather").status_code == 204
    assert client.delete(f"{ROOT}/me/blocks/heather").status_code == 204
    assert list(Block.objects.values_list("blocked__username", flat=True)) == ["tansy"]


def test_a_relation_says_whether_the_player_is_followed_and_blocked(people: dict[str, Player]) -> None:
    client = client_of(people["bracken"])
    client.put(f"{ROOT}/me/blocks/heather", {})
    client.put(f"{ROOT}/me/follows/tansy", {})
    assert client.get(f"{ROOT}/me/relations/heather").json() == {"follows": False, "blocks": True}
    assert client.get(f"{ROOT}/me/relations/tansy").json() == {"follows": True, "blocks": False}
    heather = client_of(people["heather"])
    assert heather.get(f"{ROOT}/me/relations/bracken").json() == {"follows": False, "blocks": False}
    assert heather.get(f"{ROOT}/me/relations/nobody-here").status_code == 404


def test_nobody_blocks_themselves_or_their_own_bots(people: dict[str, Player]) -> None:
    client = client_of(people["heather"])
    for name in ("heather", "heather-bot"):
        assert field_errors(client.put(f"{ROOT}/me/blocks/{name}", {})) == {("", "invalid")}
    with raises_problem("validation_error"):
        block(player=people["heather-bot"], username="heather")
    assert client.put(f"{ROOT}/me/blocks/nobody-here", {}).status_code == 404


def test_the_number_of_blocks_is_limited(people: dict[str, Player], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.directory.services.MAX_BLOCKS", 1)
    client = client_of(people["bracken"])
    client.put(f"{ROOT}/me/blocks/heather", {})
    answer = client.put(f"{ROOT}/me/blocks/tansy", {})
    assert (answer.status_code, code(answer), answer.json()["largest"]) == (409, "limit_reached", 1)
    assert client.put(f"{ROOT}/me/blocks/heather", {}).status_code == 200


def test_a_block_ends_following_the_blocked_player(people: dict[str, Player]) -> None:
    for follower, followed in (("bracken", "heather"), ("bracken", "tansy"), ("heather", "bracken")):
        client_of(people[follower]).put(f"{ROOT}/me/follows/{followed}", {})
    block(player=people["bracken"], username="heather")
    follows = Follow.objects.order_by("pk").values_list("follower__username", "followed__username")
    assert list(follows) == [("bracken", "tansy"), ("heather", "bracken")]


def test_blocks_go_with_either_account(people: dict[str, Player]) -> None:
    for blocker, blocked in (("bracken", "heather"), ("heather", "tansy"), ("tansy", "bracken")):
        block(player=people[blocker], username=blocked)
    delete_account(player=people["heather"])
    assert list(Block.objects.values_list("blocker__username", "blocked__username")) == [("tansy", "bracken")]


@pytest.mark.parametrize("blocker", ("bracken", "heather"))
@pytest.mark.parametrize("other", ("heather", "heather-bot"))
def test_players_who_block_each_other_cannot_share_a_match(
    people: dict[str, Player], blocker: str, other: str
) -> None:
    maker, joiner = people["bracken"], people[other]
    table = make_table(maker)
    invitation = make_table(maker, ME, invited(joiner))
    block(player=people[blocker], username="heather" if blocker == "bracken" else "bracken")
    with raises_problem("join_refused"):
        join_match(match_id=table["id"], player=joiner)
    if invitation["status"] == "open":  # a bot without a declaration takes the seat at once
        with raises_problem("join_refused"):
            accept_invitation(match_id=invitation["id"], player=joiner)
        decline_invitation(match_id=invitation["id"], player=joiner)
        with raises_problem("join_refused"):
            refill_seat(
                match_id=invitation["id"],
                player=maker,
                number=1,
                body={"kind": "player", "username": joiner.username},
            )
    for inviting, asked in ((maker, joiner), (joiner, maker)):
        with raises_problem("join_refused"):
            make_table(inviting, ME, invited(asked))


def test_a_block_between_two_players_of_another_maker_counts(people: dict[str, Player]) -> None:
    table = make_table(people["tansy"], OPEN, OPEN, ai())
    join_match(match_id=table["id"], player=people["bracken"])
    block(player=people["heather"], username="bracken")
    answer = post_to_match(client_of(people["heather"]), table, "join")
    assert (answer.status_code, code(answer)) == (403, "join_refused")
    assert "bracken" not in answer.json()["detail"]
    leave_match(match_id=table["id"], player=people["bracken"])
    assert join_match(match_id=table["id"], player=people["heather"])["you"]


def test_a_match_that_has_started_goes_on_and_has_no_rematch(people: dict[str, Player]) -> None:
    table = make_table(people["bracken"])
    join_match(match_id=table["id"], player=people["heather"])
    block(player=people["bracken"], username="heather")
    assert stored_match(table).status == "active"
    resign(match_id=table["id"], player=people["heather"])
    with raises_problem("join_refused"):
        create_or_join_rematch(match_id=table["id"], player=people["heather"])
    assert stored_match(table).next_match is None


def test_nobody_joins_beside_a_block_that_comes_meanwhile(committing_database: str) -> None:
    for number in range(5):
        bracken, heather = make_person(f"bracken-{number}"), make_person(f"heather-{number}")
        table = make_table(bracken)
        outcomes = run_concurrently(
            [
                partial(join_match, match_id=table["id"], player=heather),
                partial(block, player=bracken, username=heather.username),
            ]
        )
        assert isinstance(outcomes[1], Block)
        joined = stored_match(table).status == "active"
        assert joined is (outcomes[0] != "join_refused")
        again = make_table(bracken)
        with raises_problem("join_refused"):
            join_match(match_id=again["id"], player=heather)
