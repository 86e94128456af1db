"""Rate finished matches, each exactly once.

The transaction that changes ratings also sets the `rating_result` of the match, and only if it was not
set. Transactions exclude each other, so there is one rater at a time, and the sequence numbers of
`RatedMatch` are the order in which the matches of a pool were rated. What counts of a match is read from
its log, which does not change any more, before the lock is taken.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from django.db.models import Avg
from django.utils import timezone

from games.core.locks import exclusive_transaction
from games.identity.services import lock_players
from games.matches.documents import RatingResult
from games.matches.models.match import Match, MatchStatus
from games.matches.store import find_matches
from games.notices.models import NoticeType
from games.notices.services import notify_player
from games.ratings.models import PlayerRating, RatedMatch, RatingChange, RatingPool, RatingSkip
from games.ratings.outcomes import Outcome, read_outcome
from games.ratings.pools import Pool
from games.ratings.rating import Rating
from games.ratings.skill import Skill
from games.ratings.standings import SAME_OPPONENTS_PERIOD, RecentMatches, Standing, standings_after

BATCH_SIZE: Final = 50
ROWS_AT_ONCE: Final = 500

log = logging.getLogger(__name__)
# Identifies the advisory lock of PostgreSQL.
_LOCK_ID: Final = 0x_4861_6767_6973_0017

_COLUMNS: Final = (
    *("mu", "sigma", "rating", "skill", "skill_variance", "rounds", "matches", "won", "opponents"),
    *("rated_at", "settled_until", "ranked_until"),
)


class Change(NamedTuple):
    """The standings of a player before and after a match; `before` is `None` for the first match."""

    player: int
    before: Standing | None
    after: Standing


class Rated(NamedTuple):
    """A match as it was rated: its changes in the order of its seats; none if it was skipped."""

    outcome: Outcome
    sequence: int
    skipped: str
    changes: tuple[Change, ...]

    def result(self) -> RatingResult:
        """Return what the result of the match says."""
        if self.skipped:
            return {"ratings": None, "rating_skipped": self.skipped}
        ratings = [
            {
                "seat": seat,
                "before": (change.before or Standing()).rating.rating,
                "after": change.after.rating.rating,
            }
            for seat, change in enumerate(self.changes)
        ]
        return {"ratings": ratings, "rating_skipped": None}  # type: ignore[typeddict-item]  # mypy widens the comprehension


def locked_ratings() -> AbstractContextManager[None]:
    """Return a transaction in which nobody else changes ratings."""
    return exclusive_transaction(_LOCK_ID)


def rate_finished_matches(*, at_most: int = BATCH_SIZE) -> int:
    """Rate finished matches, the first to finish first; return how many were."""
    waiting = Match.objects.filter(status=MatchStatus.FINISHED, rated=True, rating_result__isnull=True)
    ids = list(waiting.order_by("finished_at", "pk").values_list("pk", flat=True)[:at_most])
    if not ids:
        return 0
    outcomes = _read_outcomes(ids)
    with locked_ratings():
        locked = waiting.select_for_update(no_key=True).filter(pk__in=outcomes).order_by("pk")
        waits = set(locked.values_list("pk", flat=True))
        pools: defaultdict[Pool, list[Outcome]] = defaultdict(list)
        results: dict[str, RatingResult] = {}
        for match_id in waits:
            outcome = outcomes[match_id]
            if isinstance(outcome, Outcome):
                pools[outcome.pool].append(outcome)
            else:
                results[match_id] = {"ratings": None, "rating_skipped": outcome.value}
        rating = [outcome for in_pool in pools.values() for outcome in in_pool]
        lock_players(seat.player for each in rating for seat in each.seats)
        rated = [
            each
            for pool, in_pool in sorted(pools.items())
            for each in _rate_pool(pool, sorted(in_pool, key=lambda each: (each.at, each.match_id)))
        ]
        write_results(results | {each.outcome.match_id: each.result() for each in rated})
        _notify(rated)
    return len(outcomes)


def _read_outcomes(match_ids: Sequence[str]) -> dict[str, Outcome | RatingSkip]:
    """Return the outcomes of these matches without those that fail, which must not block the others."""
    outcomes: dict[str, Outcome | RatingSkip] = {}
    for match_id in match_ids:
        try:
            for row in find_matches([match_id]):
                outcomes[match_id] = read_outcome(row)
        except Exception as error:  # noqa: BLE001 -- any fault of one match; the log has its type
            log.error("rating match %s failed with %s", match_id, type(error).__name__)  # noqa: TRY400 -- without stored words
    return outcomes


def _rate_pool(pool: Pool, outcomes: Sequence[Outcome]) -> list[Rated]:
    """Rate matches of one pool in this order and store what changes."""
    players = {seat.player for each in outcomes for seat in each.seats}
    row, _ = RatingPool.objects.get_or_create(**pool._asdict())
    standings = _read_standings(pool, players)
    recent = _read_recent_matches(pool, players, outcomes)
    rated = []
    for sequence, outcome in enumerate(outcomes, start=row.last_sequence + 1):
        rated.append(rate_match(outcome, sequence, standings, recent))
    RatingPool.objects.filter(pk=row.pk).update(last_sequence=row.last_sequence + len(outcomes))
    RatedMatch.objects.bulk_create(
        [
            RatedMatch(
                match_id=each.outcome.match_id,
                **pool._asdict(),
                sequence=each.sequence,
                at=each.outcome.at,
                seats=each.outcome.dump_seats(),
                rounds=each.outcome.rounds,
                skipped=each.skipped,
            )
            for each in rated
        ]
    )
    write_standings(pool, {change.player: change.after for each in rated for change in each.changes})
    write_changes(pool, rated)
    return rated


def rate_match(
    outcome: Outcome, sequence: int, standings: dict[int, Standing], recent: RecentMatches, skipped: str = ""
) -> Rated:
    """Apply one match to these standings, unless it is skipped."""
    if skipped == RatingSkip.ANNULLED:
        return Rated(outcome, sequence, skipped, ())
    if recent.has_too_many(outcome):
        return Rated(outcome, sequence, RatingSkip.SAME_OPPONENTS.value, ())
    players = [seat.player for seat in outcome.seats]
    before = [standings.get(player) for player in players]
    after = standings_after(outcome, [each or Standing() for each in before])
    standings.update(zip(players, after, strict=True))
    recent.add(players, outcome.at)
    changes = (Change(*each) for each in zip(players, before, after, strict=True))
    return Rated(outcome, sequence, "", tuple(changes))


def _read_standings(pool: Pool, players: Collection[int]) -> dict[int, Standing]:
    rows = PlayerRating.objects.filter(player__in=players, **pool._asdict())
    return {row.player_id: standing_of(row) for row in rows}


def standing_of(row: PlayerRating) -> Standing:
    """Return the standing that a row stores."""
    return Standing(
        Rating(row.mu, row.sigma),
        Skill(row.skill, row.skill_variance, row.rounds),
        row.matches,
        row.won,
        tuple(row.opponents),
        row.rated_at,
    )


def _read_recent_matches(pool: Pool, players: Collection[int], outcomes: Sequence[Outcome]) -> RecentMatches:
    """Return the counted matches of these players that limit which of the outcomes count."""
    since = min(each.at for each in outcomes) - SAME_OPPONENTS_PERIOD
    changes = RatingChange.objects.filter(
        at__gt=since, player_rating__in=PlayerRating.objects.filter(player__in=players, **pool._asdict())
    )
    together: defaultdict[int, list[int]] = defaultdict(list)
    ends = {}
    for match, player, at in changes.values_list("rated_match", "player_rating__player", "at"):
        together[match].append(player)
        ends[match] = at
    recent = RecentMatches()
    for match, seated in together.items():
        recent.add(seated, ends[match])
    return recent


def write_standings(pool: Pool, standings: Mapping[int, Standing]) -> None:
    """Insert or update the ratings of these players."""
    rows = [
        PlayerRating(
            player_id=player,
            **pool._asdict(),
            mu=each.rating.mu,
            sigma=each.rating.sigma,
            rating=each.rating.rating,
            skill=each.skill.mean,
            skill_variance=each.skill.variance,
            rounds=each.skill.rounds,
            matches=each.matches,
            won=each.won,
            opponents=list(each.opponents),
            rated_at=each.at,
            settled_until=each.settled_until,
            ranked_until=each.ranked_until,
        )
        for player, each in sorted(standings.items())
        if each.at is not None and each.settled_until is not None
    ]
    PlayerRating.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["player", "kind", "ruleset", "players"],
        update_fields=_COLUMNS,
    )


def write_changes(pool: Pool, rated: Iterable[Rated]) -> None:
    """Insert the history of these matches, which are stored already."""
    counted = [each for each in rated if each.changes]
    for start in range(0, len(counted), ROWS_AT_ONCE):
        page = counted[start : start + ROWS_AT_ONCE]
        matches = RatedMatch.objects.filter(match__in=[each.outcome.match_id for each in page])
        match_keys = dict(matches.values_list("match_id", "pk"))
        players = {change.player for each in page for change in each.changes}
        rows = PlayerRating.objects.filter(player__in=players, **pool._asdict())
        player_keys = dict(rows.values_list("player_id", "pk"))
        RatingChange.objects.bulk_create(
            RatingChange(
                rated_match_id=match_keys[each.outcome.match_id],
                player_rating_id=player_keys[change.player],
                sequence=each.sequence,
                at=each.outcome.at,
                mu=change.after.rating.mu,
                sigma=change.after.rating.sigma,
            )
            for each in page
            for change in each.changes
        )


def write_results(results: Mapping[str, RatingResult]) -> None:
    """Store what the results of these matches say of ratings."""
    rows = [Match(pk=match_id, rating_result=result) for match_id, result in sorted(results.items())]
    Match.objects.bulk_update(rows, ["rating_result"], batch_size=ROWS_AT_ONCE)


def _notify(rated: Iterable[Rated]) -> None:
    """Write a notice for every player whose rating has changed."""
    for outcome, change in [(each.outcome, change) for each in rated for change in each.changes]:
        before = None if change.before is None else change.before.rating.rating
        notify_player(
            player_id=change.player,
            type=NoticeType.RATING_CHANGED,
            data={
                "match": outcome.match_id,
                "pool": outcome.pool.name,
                "before": before,
                "rating": change.after.rating.rating,
            },
        )


def measure_pools() -> int:
    """Store the mean skill of the settled players of each pool; return the number of pools."""
    now = timezone.now()
    pools = RatingPool.objects.all()
    for row in pools:
        settled = PlayerRating.objects.filter(
            kind=row.kind, ruleset=row.ruleset, players=row.players, settled_until__gt=now
        )
        mean = settled.aggregate(mean=Avg("skill"))["mean"]
        RatingPool.objects.filter(pk=row.pk).update(mean_skill=mean or 0.0, measured_at=now)
    return len(pools)
