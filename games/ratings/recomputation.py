"""Compute the ratings of a pool again from its matches, and swap the numbers in.

Matches keep their sequence numbers, so the same matches give the same numbers as when they were rated
one after another. Annulling a match takes it out, and everything that followed changes as if it had not
been played.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.db.models import QuerySet

from games.core.errors import Problem
from games.core.languages import message
from games.matches.models.match import Match
from games.matches.store import find_matches
from games.ratings.models import PlayerRating, RatedMatch, RatingChange, RatingPool, RatingSkip
from games.ratings.outcomes import Outcome, read_outcome
from games.ratings.pools import Pool
from games.ratings.rater import (
    Rated,
    locked_ratings,
    rate_match,
    standing_of,
    write_changes,
    write_results,
    write_standings,
)
from games.ratings.standings import RecentMatches, Standing

MATCHES_AT_ONCE: Final = 500


class Recomputed(NamedTuple):
    """The numbers of matches and players of a pool, and how many of the players had other numbers before."""

    matches: int
    players: int
    changed: int


def recompute_ratings() -> dict[Pool, Recomputed]:
    """Compute all pools from the logs of their matches; return what has changed."""
    pools = RatingPool.objects.order_by("kind", "ruleset", "players")
    return {
        pool: _recompute_from_logs(pool)
        for pool in [Pool(row.kind, row.ruleset, row.players) for row in pools]
    }


def _recompute_from_logs(pool: Pool) -> Recomputed:
    with locked_ratings():
        for page in _pages(pool):
            rows = {row.id: row for row in find_matches([each.match_id for each in page])}
            for each in page:
                outcome = read_outcome(rows[each.match_id])
                if isinstance(outcome, Outcome):
                    each.seats, each.rounds, each.at = outcome.dump_seats(), outcome.rounds, outcome.at
            RatedMatch.objects.bulk_update(page, ["seats", "rounds", "at"])
        return _recompute(pool, since=0)


def annul_rating(*, match_id: str) -> Recomputed:
    """Take a rated match out of the ratings, and rate all matches that followed in its pool again."""
    with locked_ratings():
        row = RatedMatch.objects.filter(match=match_id).first()
        if row is None or row.skipped == RatingSkip.ANNULLED:
            raise Problem("not_allowed", message("This match does not count for ratings."))
        RatedMatch.objects.filter(pk=row.pk).update(skipped=RatingSkip.ANNULLED)
        return _recompute(Pool(row.kind, row.ruleset, row.players), since=row.sequence)


def _recompute(pool: Pool, *, since: int) -> Recomputed:
    """Rate the matches of a pool again; store everything from this sequence number on."""
    standings: dict[int, Standing] = {}
    recent = RecentMatches()
    before = {
        row.player_id: standing_of(row) for row in PlayerRating.objects.filter(**pool._asdict()).iterator()
    }
    RatingChange.objects.filter(rated_match__in=_matches(pool, since)).delete()
    known = set(before)
    count = 0
    for page in _pages(pool):
        rated = [
            rate_match(Outcome.of(each), each.sequence, standings, recent, each.skipped) for each in page
        ]
        count += len(rated)
        later = [each for each in rated if each.sequence >= since]
        new = {change.player: change.after for each in later for change in each.changes}
        write_standings(pool, {player: each for player, each in new.items() if player not in known})
        known |= new.keys()
        write_changes(pool, later)
        _store_results(page, later)
    different = {player: each for player, each in standings.items() if before.get(player) != each}
    write_standings(pool, different)
    gone = before.keys() - standings.keys()
    PlayerRating.objects.filter(player__in=gone, **pool._asdict()).delete()
    return Recomputed(count, len(standings), len(different) + len(gone))


def _matches(pool: Pool, since: int) -> QuerySet[RatedMatch]:
    return RatedMatch.objects.filter(sequence__gte=since, **pool._asdict())


def _pages(pool: Pool) -> Iterator[list[RatedMatch]]:
    """Yield the matches of a pool in their order, a page after another."""
    rows, last = RatedMatch.objects.filter(**pool._asdict()).order_by("sequence"), 0
    while page := list(rows.filter(sequence__gt=last)[:MATCHES_AT_ONCE]):
        yield page
        last = page[-1].sequence


def _store_results(page: Sequence[RatedMatch], rated: Sequence[Rated]) -> None:
    """Store which matches are skipped, and the results that differ."""
    rows = {each.match_id: each for each in page}
    skipped = [
        rows[each.outcome.match_id] for each in rated if rows[each.outcome.match_id].skipped != each.skipped
    ]
    for each in rated:
        rows[each.outcome.match_id].skipped = each.skipped
    RatedMatch.objects.bulk_update(skipped, ["skipped"])
    stored = dict(Match.objects.filter(pk__in=rows).values_list("pk", "rating_result"))
    results = {each.outcome.match_id: each.result() for each in rated}
    write_results({match_id: each for match_id, each in results.items() if stored[match_id] != each})
