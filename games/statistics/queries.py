"""Read and render the statistics of players."""

from typing import TypedDict

from games.identity.models import Player
from games.statistics.models import ALL_RULE_SETS, ALL_TABLE_SIZES, PlayerStatistics
from games.statistics.tallies import BOMB_LEVELS


class MatchCounts(TypedDict):
    """The numbers of matches."""

    played: int
    won: int
    abandoned: int


class RoundCounts(TypedDict):
    """The numbers of rounds, and their points over the mean of the opponents."""

    played: int
    out_first: int
    margin: float


class BetCounts(TypedDict):
    """The numbers of bets, and the points for bets."""

    made: int
    won: int
    points: int


class BombCounts(TypedDict):
    """The numbers of bombs played."""

    played: int
    by_level: list[int]


class Streaks(TypedDict):
    """Matches won in a row."""

    current: int
    best: int


class LongestCombinations(TypedDict):
    """The lengths of the longest combinations."""

    run: int
    stair: int


class StatisticsDocument(TypedDict):
    """The statistics of a player."""

    matches: MatchCounts
    rounds: RoundCounts
    bets: BetCounts
    bombs: BombCounts
    streak: Streaks
    longest: LongestCombinations


def read_statistics(
    player: Player,
    viewer: Player | None,
    *,
    ruleset: str | None = None,
    players: int | None = None,
    against: Player | None = None,
) -> StatisticsDocument:
    """Return the statistics of a player, with one query.

    Unlisted and private matches are included only for viewers who sat in all of the counted matches: the
    player, or the opponent against whom they were played.
    """
    sat_in_all = viewer is not None and viewer in (player, against)
    row = PlayerStatistics.objects.filter(
        player=player,
        opponent=against or player,
        ruleset=ruleset or ALL_RULE_SETS,
        players=players or ALL_TABLE_SIZES,
        public_only=not sat_in_all,
    ).first()
    if row is None or player == against:
        row = PlayerStatistics(bombs=[0] * BOMB_LEVELS)
    return render_statistics(row)


def render_statistics(row: PlayerStatistics) -> StatisticsDocument:
    """Render a row of statistics."""
    return {
        "matches": {"played": row.matches, "won": row.won, "abandoned": row.abandoned},
        "rounds": {"played": row.rounds, "out_first": row.out_first, "margin": row.margin_halves / 2},
        "bets": {"made": row.bets, "won": row.bets_won, "points": row.bet_points},
        "bombs": {"played": sum(row.bombs), "by_level": row.bombs},
        "streak": {"current": row.streak, "best": row.best_streak},
        "longest": {"run": row.longest_run, "stair": row.longest_stair},
    }
