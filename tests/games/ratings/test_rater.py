"""Rating finished matches: once each, in order, and equal to a computation from nothing."""

import threading
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games.core.errors import Problem
from games.identity.models import Player, PlayerKind
from games.matches.models.match import Match, Seat, SeatState
from games.notices.models import PlayerNotice
from games.operators.services import annul_match
from games.privacy.services import delete_account
from games.ratings import rater, recomputation
from games.ratings.models import PlayerRating, RatedMatch, RatingChange, RatingPool
from games.ratings.outcomes import read_outcome
from games.ratings.rater import rate_finished_matches
from games.ratings.recomputation import annul_rating, recompute_ratings
from games.ratings.tasks import measure_rating_pools, rate_matches
from tests.support.factories import RATED as RATED_SETTINGS
from tests.support.factories import TURN, make_player, read_row
from tests.support.table import Table

RATED: dict[str, Any] = {**RATED_SETTINGS, "rounds": 4}


def start_rated(*players: Player, **settings: Any) -> Table:
    return Table.start(*players, **{**RATED, **settings})


def end_at(match_id: str, days_ago: float) -> None:
    Match.objects.filter(pk=match_id).update(finished_at=timezone.now() - timedelta(days=days_ago))


def play_season(players: list[Player], count: int, *, days: float = 60.0) -> list[str]:
    """Play matches of random players, half of them of three, that a player resigns; return their ids."""
    random, ids = Random(7), []
    for number in range(count):
        table = start_rated(*random.sample(players, min(len(players), 2 + number % 2)))
        while table.status == "active":
            seats = table.view["seats"]
            staying = [
                name for name, seat in zip(table.seats, seats, strict=True) if seat["state"] == "playing"
            ]
            table.resign(random.choice(staying))
        end_at(table.id, days - days * number / count)
        ids.append(table.id)
    return ids


def stored() -> list[Any]:
    """Return everything that ratings consist of, without the ids of rows."""
    ratings = PlayerRating.objects.order_by("player", "ruleset", "players")
    changes = RatingChange.objects.order_by("rated_match__match", "player_rating__player")
    matches = RatedMatch.objects.order_by("match")
    columns = ("player", "players", "mu", "sigma", "rating", "skill", "skill_variance", "rounds", "matches")
    return [
        list(ratings.values_list(*columns, "won", "opponents", "rated_at", "settled_until", "ranked_until")),
        list(changes.values_list("rated_match__match", "player_rating__player", "sequence", "mu", "sigma")),
        list(matches.values_list("match", "players", "sequence", "seats", "rounds", "skipped")),
        list(Match.objects.order_by("pk").values_list("pk", "rating_result")),
    ]


def test_a_match_changes_the_ratings_of_its_players_once(database: str) -> None:
    anna, ben = make_player(), make_player()
    table = start_rated(anna, ben).finish()
    unrated = table.view["result"]
    assert (unrated["ratings"], unrated["rating_skipped"]) == (None, None)
    rate_matches()
    assert rate_finished_matches() == 0
    winner = table.view["result"]["winners"][0]
    expected = [{"seat": seat, "before": 1500, "after": 1658 if seat == winner else 1342} for seat in (0, 1)]
    assert table.view["result"]["ratings"] == expected
    assert table.view["result"]["rating_skipped"] is None
    rows = PlayerRating.objects.all()
    assert sorted((row.rating, row.matches, row.won, row.rounds) for row in rows) == [
        (1342, 1, 0, 4),
        (1658, 1, 1, 4),
    ]
    assert sum(row.skill for row in rows) == pytest.approx(0)
    assert {row.player_id: tuple(row.opponents) for row in rows} == {anna.pk: (ben.pk,), ben.pk: (anna.pk,)}
    notices = {each.player_id: each.data for each in PlayerNotice.objects.all()}
    assert notices[anna.pk] == {
        "match": table.id,
        "pool": "classic-2",
        "before": None,
        "rating": expected[0]["after"],
    }


def test_the_etag_of_the_table_changes_when_it_is_rated(database: str) -> None:
    anna = make_player()
    table = start_rated(anna, make_player()).finish()
    before = table[anna.username].get("")["ETag"]
    rate_matches()
    assert table[anna.username].get("")["ETag"] != before


def test_unrated_matches_say_nothing_of_ratings(database: str) -> None:
    table = Table.start(make_player(), make_player(), rounds=1).finish()
    rate_matches()
    assert table.view["result"].keys() == {"winners", "scores", "reason"}
    assert not RatedMatch.objects.exists()


def test_the_log_and_the_record_of_a_rated_match_have_no_ratings(database: str) -> None:
    anna = make_player()
    table = start_rated(anna, make_player()).finish()
    rate_matches()
    assert "ratings" not in table.log[-1]["then"][-1]["result"]
    assert "ratings" not in table[anna.username].get("/record").json()["result"]


def test_seats_that_were_left_are_placed_last(database: str) -> None:
    players = [make_player() for _ in range(3)]
    table = start_rated(*players)
    table.resign(players[1].username).resign(players[0].username)
    outcome = read_outcome(read_row(Match.objects.get(pk=table.id)))
    assert isinstance(outcome, tuple)
    assert [seat.place for seat in outcome.seats] == [2, 3, 1]
    assert outcome.rounds == 0


def test_a_seat_with_a_caretaker_at_the_end_counts_as_left(database: str) -> None:
    anna, ben, carla = (make_player() for _ in range(3))
    settings = {"after_timeouts": "caretaker", "timeouts_allowed": 0, "turn_seconds": TURN}
    table = start_rated(anna, ben, carla, **settings)
    late = table.to_act
    table.wait_out().finish()
    assert table.view["seats"][table.seats.index(late)]["state"] == SeatState.CARETAKER
    outcome = read_outcome(read_row(Match.objects.get(pk=table.id)))
    assert isinstance(outcome, tuple)
    assert outcome.seats[table.seats.index(late)].place == 3


def test_a_sixth_match_of_the_same_players_in_a_week_is_skipped(database: str) -> None:
    anna, ben = make_player(), make_player()
    tables = [start_rated(anna, ben).resign(ben.username) for _ in range(7)]
    end_at(tables[0].id, 8)
    rate_matches()
    skipped = [table.view["result"]["rating_skipped"] for table in tables]
    assert skipped == [None] * 6 + ["same_opponents"]
    assert PlayerRating.objects.get(player=anna).matches == 6


@pytest.mark.parametrize("size", (1, 4, 50))
def test_ratings_equal_a_computation_from_nothing(database: str, size: int) -> None:
    players = [make_player() for _ in range(6)]
    play_season(players, 12)
    while rate_finished_matches(at_most=size):
        pass
    before = stored()
    assert RatedMatch.objects.count() == 12
    assert {pool: result.changed for pool, result in recompute_ratings().items()} == dict.fromkeys(
        recompute_ratings(), 0
    )
    assert stored() == before
    PlayerRating.objects.update(mu=1.0, rating=60)
    RatingChange.objects.all().delete()
    assert sum(result.changed for result in recompute_ratings().values()) == PlayerRating.objects.count()
    assert stored() == before


@pytest.mark.parametrize("step", ("write_standings", "write_changes", "write_results", "_notify"))
def test_a_match_is_rated_once_if_the_rater_dies_in_between(
    committing_database: str, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    start_rated(make_player(), make_player()).finish()
    original = getattr(rater, step)

    def die(*arguments: Any) -> None:
        original(*arguments)
        raise SystemExit

    monkeypatch.setattr(rater, step, die)
    with pytest.raises(SystemExit):
        rate_matches()
    assert not RatedMatch.objects.exists()
    assert not PlayerNotice.objects.exists()
    monkeypatch.undo()
    rate_matches()
    assert sorted(PlayerRating.objects.values_list("rating", "matches")) == [(1342, 1), (1658, 1)]
    assert PlayerNotice.objects.count() == 2


def test_concurrent_raters_rate_each_match_once(committing_database: str) -> None:
    play_season([make_player() for _ in range(5)], 10)

    def run() -> None:
        while rate_finished_matches(at_most=2):
            pass
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert RatedMatch.objects.count() == 10
    assert sum(RatingPool.objects.values_list("last_sequence", flat=True)) == 10
    before = stored()
    recompute_ratings()
    assert stored() == before


def test_annulling_takes_all_that_followed_into_account(database: str) -> None:
    players = [make_player() for _ in range(4)]
    ids = play_season(players, 10)
    rate_matches()
    annul_rating(match_id=ids[2])
    annulled = stored()
    result = Match.objects.get(pk=ids[2]).rating_result
    assert result == {"ratings": None, "rating_skipped": "annulled"}
    recompute_ratings()
    assert stored() == annulled
    # Without the match the same numbers come out.
    sequences = dict(RatedMatch.objects.values_list("match", "sequence"))
    RatedMatch.objects.all().delete()
    RatingPool.objects.all().delete()
    PlayerRating.objects.all().delete()
    Match.objects.exclude(pk=ids[2]).update(rating_result=None)
    rate_matches()
    for match_id in sequences.keys() - {ids[2]}:
        found = Match.objects.get(pk=match_id).rating_result
        assert found == next(each for pk, each in annulled[3] if pk == match_id)


def test_annulling_the_only_match_of_a_player_removes_the_rating(database: str) -> None:
    (match_id,) = play_season([make_player(), make_player()], 1)
    rate_matches()
    assert annul_rating(match_id=match_id).changed == 2
    assert not PlayerRating.objects.exists()
    with pytest.raises(Problem):
        annul_rating(match_id=match_id)


def test_annulling_lets_a_match_count_that_was_one_too_many(database: str) -> None:
    anna, ben = make_player(), make_player()
    tables = [start_rated(anna, ben).resign(ben.username) for _ in range(6)]
    rate_matches()
    annul_rating(match_id=tables[1].id)
    assert tables[5].view["result"]["rating_skipped"] is None
    assert PlayerRating.objects.get(player=anna).matches == 5


def test_a_match_that_was_annulled_in_play_does_not_count(database: str) -> None:
    anna = make_player()
    match_id = start_rated(anna, make_player()).id
    Match.objects.filter(pk=match_id).update(rated=False)  # one operator may annul unrated matches
    annul_match(operator=make_player(), match_id=match_id, reason="test")
    Match.objects.filter(pk=match_id).update(rated=True)
    rate_matches()
    assert Match.objects.get(pk=match_id).rating_result == {"ratings": None, "rating_skipped": "annulled"}
    assert not PlayerRating.objects.exists()


def test_a_match_of_an_earlier_release_with_a_guest_does_not_count(database: str) -> None:
    table = start_rated(make_player(), make_player()).finish()
    Player.objects.filter(seats__match=table.id, seats__number=1).update(kind=PlayerKind.GUEST)
    rate_matches()
    assert table.view["result"]["rating_skipped"] == "not_possible"


@pytest.mark.parametrize("step", ("find_matches", "read_outcome"))
def test_a_match_that_cannot_be_read_does_not_block_the_others(
    database: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (broken, *_), (good, *_) = (play_season([make_player(), make_player()], size) for size in (2, 1))
    original = getattr(rater, step)

    def fail(asked: Any) -> Any:
        if broken in asked or getattr(asked, "id", None) == broken:
            raise ValueError
        return original(asked)

    monkeypatch.setattr(rater, step, fail)
    rate_finished_matches()
    assert RatedMatch.objects.filter(match=good).exists()
    assert not RatedMatch.objects.filter(match=broken).exists()
    assert Match.objects.get(pk=broken).rating_result is None


def test_deleting_an_account_changes_no_rating_of_others(database: str) -> None:
    players = [make_player() for _ in range(4)]
    play_season(players, 8)
    rate_matches()
    before = stored()
    delete_account(player=players[0])
    recompute_ratings()
    assert stored() == before


def test_a_match_that_ends_with_the_deletion_of_an_account_is_rated(database: str) -> None:
    anna, ben = make_player(), make_player()
    start_rated(anna, ben)
    delete_account(player=anna)
    rate_matches()
    assert PlayerRating.objects.get(player=ben).rating == 1658
    before = stored()
    recompute_ratings()
    assert stored() == before
    assert set(PlayerNotice.objects.values_list("player", flat=True)) == {ben.pk}


def test_bots_are_rated_apart_from_people(database: str) -> None:
    owners = [make_player(), make_player()]
    bots = [make_player(kind=PlayerKind.BOT, owner=owner) for owner in owners]
    play_season(owners, 1)
    play_season(bots, 1)
    rate_matches()
    assert sorted(PlayerRating.objects.values_list("kind", flat=True)) == ["bot", "bot", "human", "human"]


def test_pools_know_the_mean_skill_of_settled_players(database: str) -> None:
    play_season([make_player(), make_player()], 1)
    rate_matches()
    measure_rating_pools()
    assert RatingPool.objects.get().mean_skill == 0.0
    winner = PlayerRating.objects.get(rating=1658)
    later = timezone.now() + timedelta(days=1)
    PlayerRating.objects.filter(pk=winner.pk).update(skill=7.5, settled_until=later)
    measure_rating_pools()
    assert RatingPool.objects.get().mean_skill == 7.5
    assert RatingPool.objects.get().measured_at is not None


def test_recomputing_reads_the_logs_again(database: str) -> None:
    table = start_rated(make_player(), make_player()).finish()
    rate_matches()
    before = stored()
    RatedMatch.objects.update(rounds=1, seats=[])
    recomputation.recompute_ratings()
    assert stored() == before
    assert Seat.objects.filter(match=table.id).count() == 2
