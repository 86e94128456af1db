"""The ratings in the public profile of a player."""

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.identity.models import Player
from games.ratings.models import PlayerRating, RatingPool
from games.ratings.tasks import rate_matches
from tests.support.factories import RATED, make_player
from tests.support.table import Table


def read_ratings(player: Player) -> Any:
    response = Client().get(f"/api/v1/players/{player.username}")
    assert response.status_code == 200, response.content
    return response.json()["ratings"]


def make_rating(player: Player, rating: int, *, deviation: float = 120.0, days_ago: float = 0.0) -> None:
    """Store the rating of a player who is on the leaderboard."""
    now = timezone.now()
    PlayerRating.objects.create(
        player=player,
        kind="human",
        ruleset="classic",
        players=2,
        mu=rating / 60,
        sigma=deviation / 60,
        rating=rating,
        skill=3.0,
        skill_variance=4.0,
        rounds=500,
        matches=100,
        won=60,
        opponents=list(range(10)),
        rated_at=now - timedelta(days=days_ago),
        settled_until=now + timedelta(days=100),
        ranked_until=now + timedelta(days=1),
    )


def test_a_player_without_rated_matches_has_no_ratings(database: str) -> None:
    assert read_ratings(make_player()) == []


def test_the_profile_shows_the_rating_after_a_match(database: str) -> None:
    anna, ben = make_player(), make_player()
    Table.start(anna, ben, rounds=4, **RATED).resign(ben.username)
    rate_matches()
    (rating,) = read_ratings(anna)
    assert rating == {
        "pool": "classic-2",
        "ruleset": "classic",
        "players": 2,
        "rating": 1658,
        "deviation": 474,
        "provisional": True,
        "matches": 1,
        "rank": None,
        "skill": {"points": 0.0, "interval": 29.4, "rounds": 0},
    }


def test_ranks_count_better_players_and_equal_ratings_share_one(database: str) -> None:
    players = [make_player() for _ in range(5)]
    for player, rating in zip(players, (1700, 1600, 1600, 1500, 1900), strict=True):
        make_rating(player, rating)
    PlayerRating.objects.filter(player=players[4]).update(ranked_until=timezone.now() - timedelta(hours=1))
    assert [read_ratings(player)[0]["rank"] for player in players] == [1, 2, 2, 4, None]
    Player.objects.filter(pk=players[0].pk).update(is_active=False)
    assert read_ratings(players[1])[0]["rank"] == 1


def test_time_away_is_part_of_the_deviation_and_the_skill_is_over_the_field(database: str) -> None:
    player = make_player()
    make_rating(player, 1600, deviation=100.0, days_ago=1000)
    RatingPool.objects.create(kind="human", ruleset="classic", players=2, mean_skill=1.2)
    (rating,) = read_ratings(player)
    assert (rating["deviation"], rating["provisional"]) == (224, False)
    assert rating["skill"] == {"points": 1.8, "interval": 20.0, "rounds": 500}


def test_a_profile_without_ratings_costs_one_more_query(database: str) -> None:
    player = make_player()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        read_ratings(player)
    assert sum("playerrating" in query["sql"] for query in queries) == 1
