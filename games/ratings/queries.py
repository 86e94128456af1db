"""Read and render the ratings of players."""

from datetime import datetime
from typing import TypedDict

from django.db.models import QuerySet
from django.utils import timezone

from games.identity.models import Player
from games.ratings.models import PlayerRating, RatingPool
from games.ratings.pools import Pool
from games.ratings.rater import standing_of


class SkillDocument(TypedDict):
    """The skill of a player in points a round."""

    points: float
    interval: float
    rounds: int


class RatingDocument(TypedDict):
    """The rating of a player in a pool."""

    pool: str
    ruleset: str
    players: int
    rating: int
    deviation: int
    provisional: bool
    matches: int
    rank: int | None
    skill: SkillDocument


def ranked_players(pool: Pool, now: datetime) -> QuerySet[PlayerRating]:
    """Return the players on the leaderboard of a pool."""
    return PlayerRating.objects.filter(ranked_until__gt=now, player__is_active=True, **pool._asdict())


def rank_of(row: PlayerRating, now: datetime) -> int | None:
    """Return the place on the leaderboard, or `None` if the player is not on it. Equal ratings share one."""
    if row.ranked_until is None or row.ranked_until <= now:
        return None
    pool = Pool(row.kind, row.ruleset, row.players)
    return 1 + ranked_players(pool, now).filter(rating__gt=row.rating).count()


def ratings_of(player: Player) -> list[RatingDocument]:
    """Return the ratings of a player in all pools."""
    now = timezone.now()
    rows = list(PlayerRating.objects.filter(player=player).order_by("ruleset", "players"))
    means = _mean_skills() if rows else {}
    return [_render_rating(row, means, now) for row in rows]


def _mean_skills() -> dict[Pool, float]:
    columns = RatingPool.objects.values_list("kind", "ruleset", "players", "mean_skill")
    return {Pool(kind, ruleset, players): mean for kind, ruleset, players, mean in columns}


def _render_rating(row: PlayerRating, means: dict[Pool, float], now: datetime) -> RatingDocument:
    pool = Pool(row.kind, row.ruleset, row.players)
    standing = standing_of(row)
    rating = standing.rating.after_days(standing.days_until(now))
    return {
        "pool": pool.name,
        "ruleset": row.ruleset,
        "players": row.players,
        "rating": rating.rating,
        "deviation": rating.deviation,
        "provisional": rating.provisional,
        "matches": row.matches,
        "rank": rank_of(row, now),
        "skill": _render_skill(row, means.get(pool, 0.0), now),
    }


def _render_skill(row: PlayerRating, mean: float, now: datetime) -> SkillDocument:
    standing = standing_of(row)
    skill = standing.skill.after_days(standing.days_until(now))
    return {
        "points": round(skill.mean - mean, 1),
        "interval": round(skill.interval, 1),
        "rounds": skill.rounds,
    }
