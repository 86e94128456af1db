"""What one player can have stored for good in a day, at the default limits, from the sizes of real rows.

`pytest -s` prints the table that docs/operate.md has.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from django.db import connection

from games.ai.services import take_turn
from games.identity.models import HUMAN_SCOPES, Player, Scope
from games.identity.services import MAX_TOKENS, create_token
from games.lobby.services.membership import join_match, leave_match
from games.matches.models.match import Match
from games.notifications.webhooks import MAX_WEBHOOKS
from haggis_service.settings.limits import DEFAULT_LIMITS, MAX_MATCHES, MAX_ROUNDS_A_DAY
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_player, make_table, start_match

BOUND: Final = 50_000_000
PERMANENT_TABLES: Final = (
    *("games_match", "games_seat", "games_move", "games_round", "games_bet", "games_snapshot"),
    *("games_seedchain", "games_apitoken", "games_webhook"),
)
# Enough rows that pages and indexes count with what a row needs of them.
SAMPLES: Final = 400
ROUNDS: Final = 30
ACTIONS_A_DAY: Final = int(DEFAULT_LIMITS["actions"].partition("/")[0])
TURNS_EXTENDED_A_DAY: Final = int(DEFAULT_LIMITS["vacations"].partition("/")[0]) * MAX_MATCHES


class Source(NamedTuple):
    """A kind of row that a player can add, how many of them in a day, and their size with indexes."""

    what: str
    limit: str
    a_day: int
    size: float

    @property
    def total(self) -> float:
        return self.a_day * self.size


def stored_bytes() -> int:
    """Return the size of the tables that are never cleaned up, with their indexes and without dead rows."""
    with connection.cursor() as cursor:
        for table in PERMANENT_TABLES:
            cursor.execute(f"VACUUM FULL {table}")
        sizes = " + ".join(f"pg_total_relation_size('{table}')" for table in PERMANENT_TABLES)
        cursor.execute(f"SELECT {sizes}")
        return int(cursor.fetchone()[0])


def growth(count: int, act: Callable[[], object]) -> float:
    """Return by how many bytes each of `count` things that this stores makes the tables grow.

    They are stored once before, so that each table and index has its first pages.
    """
    act()
    before = stored_bytes()
    act()
    return (stored_bytes() - before) / count


def play_rounds() -> None:
    """Play the largest rounds that there are: three players who choose at random."""
    match = start_match("random", "random", "random", rounds=ROUNDS)
    version = match.version
    while changed := take_turn(match_id=match.pk, version=version):
        version = changed.version
    assert Match.objects.get(pk=match.pk).status == "finished"


def create_matches() -> None:
    maker = make_player()
    for _ in range(SAMPLES):
        make_table(maker, hold=True)


def join_and_leave(maker: Player) -> None:
    match_id, player = make_table(maker)["id"], make_player()
    Match.objects.filter(pk=match_id).update(hold=True)
    for _ in range(SAMPLES // 2):
        join_match(match_id=match_id, player=player)
        leave_match(match_id=match_id, player=player)


def create_tokens() -> None:
    player = make_player()
    for _ in range(MAX_TOKENS):
        create_token(player=player, name="x" * 60, scopes=list(HUMAN_SCOPES), granted=frozenset(Scope))


def create_webhooks() -> None:
    player = make_player()
    for _ in range(MAX_WEBHOOKS):
        make_endpoint(player, url=f"https://9.9.9.9/{'x' * 450}", description="x" * 100)


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
def test_storage_for_good_in_a_day_is_bounded(committing_database: str) -> None:
    entry = growth(SAMPLES, lambda: join_and_leave(make_player()))
    sources = (
        Source("rounds", "`HAGGIS_MOST_ROUNDS_A_DAY`", MAX_ROUNDS_A_DAY, growth(ROUNDS, play_rounds)),
        Source("matches of one round", "the same", MAX_ROUNDS_A_DAY, growth(SAMPLES, create_matches)),
        Source("changes of matches", "`HAGGIS_LIMIT_ACTIONS`", ACTIONS_A_DAY, entry),
        Source("turns extended by vacations", "`HAGGIS_LIMIT_VACATIONS`", TURNS_EXTENDED_A_DAY, entry),
        Source("tokens", f"{MAX_TOKENS} an account", MAX_TOKENS, growth(MAX_TOKENS, create_tokens)),
        Source("webhooks", f"{MAX_WEBHOOKS} an account", MAX_WEBHOOKS, growth(MAX_WEBHOOKS, create_webhooks)),
    )
    total = sum(each.total for each in sources)
    lines = [
        f"| {each.what} | {each.limit} | {each.a_day:,} | {each.size:,.0f} B | {each.total / 1e6:.1f} MB |"
        for each in sources
    ]
    print("\n".join(["", *lines, f"| together | | | | {total / 1e6:.1f} MB |"]))  # noqa: T201 -- for `pytest -s`
    assert total < BOUND
