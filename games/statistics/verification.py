"""Compare the statistics with a recount of the logs, or replace them by it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q

from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus, Seat
from games.statistics.models import CountedMatch, PlayerStatistics
from games.statistics.services import (
    COUNTERS,
    count_finished_matches,
    key_of,
    locked_statistics,
    replace_rows,
    replace_tallies,
    summed_rows,
    tally_matches,
)

MATCHES_AT_ONCE: Final = 200
PLAYERS_AT_ONCE: Final = 100


class StatisticsDifference(Exception):
    """Statistics differ from a recount of the logs."""


@dataclass(slots=True)
class RecountedStatistics:
    """The numbers of recounted matches and players, and how many of them were different."""

    matches: int = 0
    players: int = 0
    replaced: int = 0


def verify_statistics(*, rebuild: bool = False) -> RecountedStatistics:
    """Recount all matches that were counted, and all players.

    Raise the first `StatisticsDifference`; with `rebuild`, store the recount instead, after the matches that
    have not been counted yet.
    """
    result = RecountedStatistics()
    while rebuild and count_finished_matches():
        pass
    for match_ids in _batches_of_matches():
        result.matches += len(match_ids)
        result.replaced += _check_matches(match_ids, rebuild=rebuild)
    for player_ids in _batches_of_players():
        result.players += len(player_ids)
        result.replaced += _check_players(player_ids, rebuild=rebuild)
    _check_deleted_players()
    return result


def _batches_of_matches() -> Iterator[list[str]]:
    counted = Match.objects.filter(status=MatchStatus.FINISHED, statistics_counted=True)
    ids, last = counted.order_by("pk").values_list("pk", flat=True), ""
    while page := list(ids.filter(pk__gt=last)[:MATCHES_AT_ONCE]):
        yield page
        last = page[-1]


def _check_matches(match_ids: Sequence[str], *, rebuild: bool) -> int:
    """Compare the stored tallies of these matches with their logs; return how many were replaced."""
    stored: dict[str, list[dict[str, Any]]] = dict(
        CountedMatch.objects.filter(match__in=match_ids).values_list("match_id", "tallies")
    )
    different = [each for each in tally_matches(match_ids) if stored.get(each.match_id, []) != each.tallies]
    if different and not rebuild:
        raise StatisticsDifference(f"match {different[0].match_id} was counted differently than its log says")
    replace_tallies(different)
    return len(different)


def _batches_of_players() -> Iterator[list[int]]:
    played = Exists(Seat.objects.filter(player=OuterRef("pk")))
    ids = Player.objects.filter(played, deleted_at=None).order_by("pk").values_list("pk", flat=True)
    last = 0
    while page := list(ids.filter(pk__gt=last)[:PLAYERS_AT_ONCE]):
        yield page
        last = page[-1]


def _check_players(player_ids: Sequence[int], *, rebuild: bool) -> int:
    """Compare the statistics of players with the sum of their tallies; return how many were replaced."""
    with locked_statistics():
        expected = {key: _counters(row) for key, row in summed_rows(player_ids).items()}
        rows = PlayerStatistics.objects.filter(player__in=player_ids)
        stored = {key_of(row): _counters(row) for row in rows}
        keys = expected.keys() | stored.keys()
        different = {key[0] for key in keys if expected.get(key) != stored.get(key)}
        if different and not rebuild:
            raise StatisticsDifference(f"player {min(different)} has other statistics than their matches")
        replace_rows(different)
    return len(different)


def _counters(row: PlayerStatistics) -> list[Any]:
    return [getattr(row, name) for name in COUNTERS]


def _check_deleted_players() -> None:
    of_deleted = Q(player__deleted_at__isnull=False) | Q(opponent__deleted_at__isnull=False)
    if PlayerStatistics.objects.filter(of_deleted).exists():
        raise StatisticsDifference("there are statistics of a deleted player")
