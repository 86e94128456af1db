from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from games.lobby.services.membership import accept_invitation, cancel_match, join_match
from games.matches.models.match import Match
from games.play.resignation import resign
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


def test_unfinished_matches_of_one_maker_are_limited(database: str, settings: Any) -> None:
    settings.HAGGIS_MOST_MATCHES = 2
    maker = make_player()
    make_table(maker, ai(), ai())
    make_table(maker, ai(), ai())
    with raises_problem("limit_reached"):
        make_table(maker, ai(), ai())
    Match.objects.update(status="cancelled", to_act=None, finished_at=timezone.now())
    make_table(maker, ai(), ai())


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
