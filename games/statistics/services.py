"""Count finished matches in the statistics of their players.

A worker counts each match once: the transaction that adds a match to the statistics also sets its
`statistics_counted`, and only if it was not set. Transactions exclude each other, so the ids of
`CountedMatch` are the order in which matches were added, which decides streaks.

Matches that were imported, annulled or cancelled do not count: imported ones were played elsewhere. To count
a match again after its result changed, reset `statistics_counted`.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import product
from typing import Any, Final, NamedTuple

from django.db.models import Q

from games.core.locks import exclusive_transaction
from games.identity.models import Player
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus, Visibility
from games.matches.store import MatchRow, find_matches
from games.statistics.models import ALL_RULE_SETS, ALL_TABLE_SIZES, CountedMatch, PlayerStatistics
from games.statistics.tallies import BOMB_LEVELS, tally_match

BATCH_SIZE: Final = 20

log = logging.getLogger(__name__)
# Identifies the advisory lock of PostgreSQL.
_LOCK_ID: Final = 0x_4861_6767_6973_0002

# The filters of a row of statistics: player, opponent, rule set, number of players, public matches only.
RowKey = tuple[int, int, str, int, bool]
_KEY: Final = ("player_id", "opponent_id", "ruleset", "players", "public_only")
# What a tally adds to a row. The columns of the longest combinations keep the maximum instead.
_SUMS: Final = (
    "won",
    "abandoned",
    "rounds",
    "out_first",
    "margin_halves",
    "bets",
    "bets_won",
    "bet_points",
)
_MAXIMA: Final = ("longest_run", "longest_stair")
COUNTERS: Final = ("matches", *_SUMS, *_MAXIMA, "bombs", "streak", "best_streak")


class TalliedMatch(NamedTuple):
    """A match to count: its filters, and the tallies as they are stored; none if it does not count."""

    match_id: str
    ruleset: str
    players: int
    is_public: bool
    tallies: list[dict[str, Any]]

    @property
    def player_ids(self) -> set[int]:
        """The players of the match."""
        return {tally["player"] for tally in self.tallies}


def locked_statistics() -> AbstractContextManager[None]:
    """Return a transaction in which nobody else changes statistics."""
    return exclusive_transaction(_LOCK_ID)


def count_finished_matches(*, at_most: int = BATCH_SIZE) -> int:
    """Count matches that have finished, the first to finish first; return how many were.

    The logs, which do not change any more, are read before the lock is taken.
    """
    waiting = Match.objects.filter(status=MatchStatus.FINISHED, statistics_counted=False)
    ids = list(waiting.order_by("finished_at", "pk").values_list("pk", flat=True)[:at_most])
    if not ids:
        return 0
    tallied = _tally_readable(ids)
    with locked_statistics():
        readable = [each.match_id for each in tallied]
        locked = waiting.select_for_update(no_key=True).filter(pk__in=readable).order_by("pk")
        unchanged = set(locked.values_list("pk", flat=True))
        _store([each for each in tallied if each.match_id in unchanged])
        Match.objects.filter(pk__in=unchanged).update(statistics_counted=True)
    return len(tallied)


def _tally_readable(match_ids: Sequence[str]) -> list[TalliedMatch]:
    """Return the tallies of these matches without those that fail, which must not block the others."""
    tallied = []
    for match_id in match_ids:
        try:
            tallied += tally_matches([match_id])
        except Exception as error:  # noqa: BLE001 -- any fault of one match; the log has its type
            log.error("counting match %s failed with %s", match_id, type(error).__name__)  # noqa: TRY400 -- without stored words
    return tallied


def tally_matches(match_ids: Sequence[str]) -> list[TalliedMatch]:
    """Return these finished matches with the tallies of their players, in this order."""
    rows = {row.id: row for row in find_matches(match_ids)}
    return [_tally(rows[match_id]) for match_id in match_ids if match_id in rows]


def _tally(row: MatchRow) -> TalliedMatch:
    seats = [(seat.number, seat.player_id) for seat in row.seats if seat.player_id is not None]
    annulled = row.result is None or row.result["reason"] == "annulled"
    tallies: list[dict[str, Any]] = []
    if seats and not annulled and row.imported_at is None:
        entries = Move.objects.filter(match_id=row.id).order_by("version").values_list("entry", flat=True)
        of_seats = tally_match(row.agreement, entries)
        tallies = [{"player": player, **of_seats[number].dump()} for number, player in seats]
    is_public = row.visibility == Visibility.PUBLIC
    return TalliedMatch(row.id, row.ruleset, row.players, is_public, tallies)


def _store(tallied: Sequence[TalliedMatch]) -> None:
    """Add matches to the statistics. Those that had been counted before are replaced, at the end."""
    before = list(CountedMatch.objects.filter(match__in=[each.match_id for each in tallied]))
    recounted = {tally["player"] for counted in before for tally in counted.tallies}
    CountedMatch.objects.filter(pk__in=[counted.pk for counted in before]).delete()
    counting = [each for each in tallied if each.tallies]
    CountedMatch.objects.bulk_create(
        [CountedMatch(match_id=each.match_id, tallies=each.tallies) for each in counting]
    )
    players = _lock_players({player for each in counting for player in each.player_ids} | recounted)
    rows = _read_rows(counting, players - recounted)
    for each in counting:
        add_match(rows, each, players - recounted, opponents=players)
    _write_rows(rows)
    replace_rows(players & recounted)


def _lock_players(player_ids: Collection[int]) -> set[int]:
    """Lock these players against deletion; return those who are not deleted."""
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=player_ids, deleted_at=None)
    return set(locked.order_by("pk").values_list("pk", flat=True))


def add_match(
    rows: dict[RowKey, PlayerStatistics],
    match: TalliedMatch,
    players: Collection[int],
    *,
    opponents: Collection[int],
) -> None:
    """Add a match to the rows of these players, in total and against each of these opponents."""
    for tally in match.tallies:
        if tally["player"] in players:
            for key in _keys(match, tally["player"], opponents):
                _add(rows.setdefault(key, _empty_row(key)), tally)


def _keys(match: TalliedMatch, player: int, opponents: Collection[int]) -> Iterable[RowKey]:
    """Return the filters that a match passes for a player."""
    faced = [each for each in match.player_ids if each == player or each in opponents]
    return product(
        (player,),
        faced,
        (ALL_RULE_SETS, match.ruleset),
        (ALL_TABLE_SIZES, match.players),
        (False, True) if match.is_public else (False,),
    )


def _empty_row(key: RowKey) -> PlayerStatistics:
    return PlayerStatistics(**dict(zip(_KEY, key, strict=True)), bombs=[0] * BOMB_LEVELS)


def _add(row: PlayerStatistics, tally: dict[str, Any]) -> None:
    row.matches += 1
    for name in _SUMS:
        setattr(row, name, getattr(row, name) + tally[name])
    for name in _MAXIMA:
        setattr(row, name, max(getattr(row, name), tally[name]))
    row.bombs = [total + played for total, played in zip(row.bombs, tally["bombs"], strict=True)]
    row.streak = row.streak + 1 if tally["won"] else 0
    row.best_streak = max(row.best_streak, row.streak)


def key_of(row: PlayerStatistics) -> RowKey:
    """Return the filters of a row."""
    return row.player_id, row.opponent_id, row.ruleset, row.players, row.public_only


def _read_rows(matches: Sequence[TalliedMatch], players: Collection[int]) -> dict[RowKey, PlayerStatistics]:
    """Return the existing rows that these matches can change."""
    found = PlayerStatistics.objects.filter(
        player__in=players,
        opponent__in={player for each in matches for player in each.player_ids},
        ruleset__in={ALL_RULE_SETS, *(each.ruleset for each in matches)},
    )
    return {key_of(row): row for row in found}


def _write_rows(rows: dict[RowKey, PlayerStatistics]) -> None:
    """Insert or update rows."""
    PlayerStatistics.objects.bulk_create(
        [
            PlayerStatistics(**{name: getattr(row, name) for name in (*_KEY, *COUNTERS)})
            for row in rows.values()
        ],
        batch_size=500,
        update_conflicts=True,
        unique_fields=["player", "opponent", "ruleset", "players", "public_only"],
        update_fields=COUNTERS,
    )


def replace_rows(players: Collection[int]) -> None:
    """Replace the statistics of these players by a new sum of their counted matches."""
    if players:
        PlayerStatistics.objects.filter(player__in=players).delete()
        _write_rows(summed_rows(players))


def replace_tallies(tallied: Sequence[TalliedMatch]) -> None:
    """Replace what is stored of these matches, without changing the statistics of their players.

    A match keeps its place in the order in which matches were counted.
    """
    with locked_statistics():
        for each in tallied:
            if each.tallies:
                CountedMatch.objects.update_or_create(
                    match_id=each.match_id, defaults={"tallies": each.tallies}
                )
            else:
                CountedMatch.objects.filter(match=each.match_id).delete()


def summed_rows(players: Collection[int]) -> dict[RowKey, PlayerStatistics]:
    """Return the statistics of these players as the sum of their counted matches."""
    rows: dict[RowKey, PlayerStatistics] = {}
    counted = CountedMatch.objects.filter(match__seats__player__in=players).distinct()
    columns = ("match_id", "match__ruleset", "match__players", "match__visibility", "tallies")
    matches = [
        TalliedMatch(match_id, ruleset, size, visibility == Visibility.PUBLIC, tallies)
        for match_id, ruleset, size, visibility, tallies in counted.order_by("pk").values_list(*columns)
    ]
    faced = {player for each in matches for player in each.player_ids}
    opponents = set(Player.objects.filter(pk__in=faced, deleted_at=None).values_list("pk", flat=True))
    for each in matches:
        add_match(rows, each, opponents.intersection(players), opponents=opponents)
    return rows


def delete_statistics(*, player: Player) -> None:
    """Delete the statistics of a deleted player, and those of others against this player."""
    with locked_statistics():
        PlayerStatistics.objects.filter(Q(player=player) | Q(opponent=player)).delete()
