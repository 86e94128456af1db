from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from games.identity.models import PlayerKind
from games.lobby.services.creation import refill_seat
from games.lobby.services.membership import accept_invitation, cancel_match, join_match
from games.lobby.services.rematches import create_or_join_rematch
from games.matches.models.match import Match
from games.play.resignation import resign
from tests.support.clients import client_of, code, make_bot, make_person
from tests.support.concurrency import run_concurrently
from tests.support.factories import ME, OPEN, ai, invited, make_player, make_table, raises_problem


def test_open_matches_of_one_maker_are_limited(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_OPEN_MATCHES = 2
    maker = make_player()
    first = make_table(maker)
    make_table(maker, ai(), OPEN)
    with raises_problem("limit_reached") as refused:
        make_table(maker)
    assert refused.value.extra == {"largest": 2}
    cancel_match(match_id=first["id"], player=maker)
    make_table(maker)
    make_table(make_player())


def test_matches_against_ais_do_not_count_as_waiting_for_players(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_OPEN_MATCHES = 1
    maker = make_player()
    for hold in (True, False):
        make_table(maker, ME, ai(), hold=hold)
        make_table(maker, ME, ai(), ai(), hold=hold)
        make_table(maker, ai(), ai(), hold=hold)
    make_table(maker)
    with raises_problem("limit_reached"):
        make_table(maker, ME, ai(), OPEN)
    with raises_problem("limit_reached"):
        make_table(maker, ME, invited(make_player()))


def test_matches_against_ais_can_be_created_while_too_many_others_wait(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_OPEN_MATCHES = 1
    maker = make_player()
    make_table(maker)
    assert make_table(maker, ME, ai())["status"] == "active"
    held = make_table(maker, ME, ai(), hold=True)
    assert held["status"] == "open"
    for seat in (OPEN, invited(make_player())):
        with raises_problem("limit_reached"):
            refill_seat(match_id=held["id"], player=maker, number=1, body=seat)
    assert refill_seat(match_id=held["id"], player=maker, number=1, body=ai("hard"))["status"] == "open"


def test_a_match_that_waits_can_change_its_seats_at_the_limit(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_OPEN_MATCHES = 1
    maker = make_player()
    table = make_table(maker, ME, OPEN, ai())
    for seat in (invited(make_player()), OPEN):
        assert refill_seat(match_id=table["id"], player=maker, number=1, body=seat)["status"] == "open"
    assert refill_seat(match_id=table["id"], player=maker, number=2, body=OPEN)["status"] == "open"


def test_unfinished_matches_of_one_maker_are_limited(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_MATCHES = 2
    maker = make_player()
    make_table(maker, ai(), ai())
    make_table(maker, ai(), ai())
    with raises_problem("limit_reached"):
        make_table(maker, ai(), ai())
    Match.objects.update(status="cancelled", to_act=None, finished_at=timezone.now())
    make_table(maker, ai(), ai())


@pytest.mark.parametrize(("kind", "most"), ((PlayerKind.HUMAN, 2), (PlayerKind.GUEST, 1)))
def test_matches_between_ais_are_limited(database: str, settings: Any, kind: PlayerKind, most: int) -> None:
    settings.HAGGIS_MOST_AI_MATCHES = 2
    settings.HAGGIS_MOST_AI_MATCHES_GUEST = 1
    maker = make_player(kind=kind)
    tables = [make_table(maker, ai(), ai(), ai()) for _ in range(most)]
    with raises_problem("too_many_ai_matches") as refused:
        make_table(maker, ai(), ai())
    assert refused.value.extra == {"largest": most}
    assert "/cancel" in refused.value.detail
    make_table(maker, ME, ai())
    make_table(make_player(kind=kind), ai(), ai())
    cancel_match(match_id=tables[0]["id"], player=maker)
    make_table(maker, ai(), ai())


def test_resigned_matches_in_which_only_ais_play_count_as_matches_between_ais(
    database: str, settings: Any
) -> None:
    settings.HAGGIS_MOST_AI_MATCHES = 1
    maker = make_player()
    table = make_table(maker, ME, ai(), ai())
    resign(match_id=table["id"], player=maker)
    with raises_problem("too_many_ai_matches"):
        make_table(maker, ai(), ai())


def test_refilling_the_last_seat_with_an_ai_is_limited(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_AI_MATCHES = 1
    maker = make_player()
    make_table(maker, ai(), ai(), hold=True)
    table = make_table(maker, ai(), OPEN)
    with raises_problem("too_many_ai_matches"):
        refill_seat(match_id=table["id"], player=maker, number=1, body=ai())
    refill_seat(match_id=table["id"], player=maker, number=0, body=ai("easy"))


@pytest.mark.parametrize("most", (1, 3))
def test_concurrent_requests_cannot_exceed_the_limit_of_matches_between_ais(
    committing_database: str, settings: Any, most: int
) -> None:
    settings.HAGGIS_MOST_AI_MATCHES = most
    maker = make_player()
    answers = run_concurrently([partial(make_table, maker, ai(), ai()) for _ in range(5)])
    assert answers.count("too_many_ai_matches") == 5 - most


def test_seats_of_one_player_are_limited(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_MATCHES = 1
    player = make_player()
    first = make_table(player, ME, ai())
    other = make_table(None, ME, OPEN, invited(player))
    for act in (join_match, accept_invitation):
        with raises_problem("limit_reached"):
            act(match_id=other["id"], player=player)
    with raises_problem("limit_reached"):
        make_table(player)
    resign(match_id=first["id"], player=player)
    accept_invitation(match_id=other["id"], player=player)


def test_invitations_do_not_count_towards_the_seat_limit(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_MATCHES = 1
    player = make_player()
    for _ in range(3):
        make_table(None, ME, invited(player))
    make_table(player)


@pytest.mark.parametrize("most", (1, 3))
def test_concurrent_requests_cannot_exceed_the_seat_limit(
    committing_database: str, settings: Any, most: int
) -> None:
    settings.HAGGIS_MOST_MATCHES = most
    player = make_player()
    tables = [make_table(None, ME, OPEN, OPEN) for _ in range(5)]
    answers = run_concurrently([partial(join_match, match_id=table["id"], player=player) for table in tables])
    assert answers.count("limit_reached") == 5 - most


def test_rounds_of_matches_created_in_a_day_are_limited(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_ROUNDS_A_DAY = 25
    maker = make_player()
    bot = make_player(kind=PlayerKind.BOT, owner=maker)
    first = make_table(maker, rounds=6)
    make_table(bot, target_score=250)  # counts as 10 rounds
    with raises_problem("limit_reached") as refused:
        make_table(maker, rounds=10)
    assert refused.value.extra == {"largest": 25}
    cancel_match(match_id=first["id"], player=maker)
    with raises_problem("limit_reached"):
        make_table(bot, rounds=10)
    make_table(maker, rounds=9)
    make_table(make_player(), rounds=10)
    Match.objects.filter(maker__in=(maker, bot)).update(created_at=timezone.now() - timedelta(days=1))
    make_table(maker, rounds=10)


def test_rematch_counts_towards_the_rounds_of_the_day(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_ROUNDS_A_DAY = 10
    maker = make_player()
    played = make_table(maker, ME, ai(), rounds=10)
    resign(match_id=played["id"], player=maker)
    with raises_problem("limit_reached"):
        create_or_join_rematch(match_id=played["id"], player=maker)


@pytest.mark.parametrize(
    ("method", "path"),
    (
        ("post", "matches"),
        ("post", "matches/{id}/join"),
        ("post", "matches/{id}/leave"),
        ("post", "matches/{id}/cancel"),
        ("put", "matches/{id}/seats/1"),
        ("post", "matches/{id}/pause"),
        ("delete", "matches/{id}/pause"),
        ("post", "matches/{id}/resume"),
        ("post", "matches/{id}/reclaim"),
        ("post", "matches/{id}/start"),
        ("post", "matches/{id}/resign"),
        ("post", "matches/{id}/rematch"),
        ("post", "matches/{id}/accept"),
        ("post", "matches/{id}/decline"),
    ),
)
def test_changes_of_matches_share_a_limit_with_bots(
    database: str, settings: Any, method: str, path: str
) -> None:
    cache.clear()
    settings.HAGGIS_LIMITS = {"actions": (1, 86400)}
    owner = make_person()
    bot, bots_client = make_bot(owner, "tin-man")
    match = make_table(bot)
    assert client_of(owner).post("/api/v1/matches", {"ruleset": "classic"}).status_code == 201
    refused = getattr(bots_client, method)(f"/api/v1/{path.format(id=match['id'])}", {"ruleset": "classic"})
    assert (refused.status_code, code(refused)) == (429, "rate_limited")
    assert bots_client.get(f"/api/v1/matches/{match['id']}").status_code == 200
