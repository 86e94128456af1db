"""Events are written atomically, and only if the version and deadline allow it."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from games.api.models import IdempotencyKey
from games.core.secrets import Secret
from games.identity.models import Player
from games.matches.commit import (
    Answer,
    BetRow,
    Event,
    RequestKey,
    RoundBegun,
    RoundEnded,
    commit_event,
    commit_events,
)
from games.matches.entries import after_event, build_entry
from games.matches.models.log import Actor, Bet, Move, Round, Snapshot
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.matches.store import MatchRow, find_match
from games.notifications.models import Delivery, Notice, Webhook
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import JsonObject, make_player, read_row, start_match

SOON = timedelta(seconds=0.5)

on_postgresql = pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)


def extended(row: MatchRow, **changes: Any) -> Event:
    """Return an event with these changed columns."""
    entry = build_entry(row, "extended", by=Actor.CLOCK, seat=0)
    return Event(row, row._replace(**after_event(row), **changes), entry)


def commit(event: Event, **parts: Any) -> bool:
    return commit_event(event.before, event.after, event.entry, **parts)


def test_all_changed_columns_of_the_match_are_written(database: str) -> None:
    row = read_row(start_match(make_player(), make_player()))
    moment = timezone.now()
    changes: JsonObject = {
        "status": MatchStatus.PAUSED,
        "open_seats": 0,
        "round_number": 7,
        "round_first_version": 40,
        "to_act": 1,
        "expects": "award",
        "deadline": moment,
        "remind_at": moment + timedelta(1),
        "paused_at": moment + timedelta(2),
        "paused_until": moment + timedelta(3),
        "paused_seconds": 5,
        "turn_left_ms": 2**40,
        "wake_at": moment + timedelta(4),
        "attempts": 2,
        "turn_due_at": moment + timedelta(6),
        "turn_priority": 2,
        "totals": [12, -3],
        "started_at": moment - timedelta(1),
        "expires_at": moment + timedelta(5),
        "snapshot": Secret('{"any": "state"}'),
    }
    event = extended(row, **changes)
    assert commit(event)
    stored = find_match(row.id)
    assert stored is not None
    assert stored._replace(now=row.now) == event.after
    ended = {"status": MatchStatus.FINISHED, "result": {"winners": [0]}, "to_act": None, "expects": ""}
    event = extended(event.after, **ended, finished_at=moment, turn_left_ms=None)
    assert commit(event)
    stored = find_match(row.id)
    assert stored is not None
    assert stored._replace(now=row.now) == event.after
    assert Snapshot.objects.get(pk=row.id).state.reveal() == {"any": "state"}


def test_only_changed_seats_are_written(database: str) -> None:
    one, two = make_player(), make_player()
    row = read_row(start_match(one, two))
    Seat.objects.filter(match=row.id, number=1).update(timeouts=9)
    seat = row.seats[0]._replace(
        state=SeatState.CARETAKER, time_bank_left=70, timeouts=2, asks="pause", live=False, joined_at=row.now
    )
    assert commit(extended(row, seats=(seat, row.seats[1])))
    stored = find_match(row.id)
    assert stored is not None
    assert stored.seats == (seat, row.seats[1]._replace(timeouts=9))


def test_a_concurrent_standing_order_survives_unless_the_event_ends_it(database: str) -> None:
    row = read_row(start_match(make_player(), make_player()))
    Seat.objects.filter(match=row.id).update(standing_trick="1/0/0")
    after = tuple(seat._replace(time_bank_left=5) for seat in row.seats)
    assert commit(extended(row, seats=after))
    assert set(Seat.objects.values_list("standing_trick", "time_bank_left")) == {("1/0/0", 5)}
    row = read_row(Match.objects.get(pk=row.id))
    after = tuple(seat._replace(standing_trick="") for seat in row.seats)
    assert commit(extended(row, seats=after))
    assert set(Seat.objects.values_list("standing_trick", flat=True)) == {""}


def test_rounds_and_bets_are_written(database: str) -> None:
    row = read_row(start_match(make_player(), make_player()))
    deal: JsonObject = {"hands": [["7r"], ["J"]], "haggis": []}
    score: JsonObject = {"seat": 0, "total": 5}
    rounds = (
        RoundEnded(1, "ab" * 32, [0], [score], [5, 0]),
        RoundBegun(2, None, 1, Secret(deal)),
    )
    bets = (BetRow(1, 0, 15), BetRow(1, 1, 0))
    assert commit(extended(row), rounds=rounds, bets=bets)
    ended, begun = Round.objects.filter(match=row.id).order_by("number")
    assert (ended.last_version, ended.link, ended.out) == (2, "ab" * 32, [0])
    assert (ended.scores, ended.totals) == ([score], [5, 0])
    assert ended.ended_at == row.now
    assert (begun.number, begun.dealer, begun.leader, begun.first_version) == (2, None, 1, 2)
    assert begun.deal.reveal() == deal
    assert (begun.out, begun.scores, begun.totals, begun.ended_at, begun.link) == ([], None, None, None, "")
    assert set(Bet.objects.values_list("round_number", "seat", "amount", "version")) == {
        (1, 0, 15, 2),
        (1, 1, 0, 2),
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        commit(extended(read_row(Match.objects.get(pk=row.id))), bets=bets)


def test_an_abandoned_round_has_no_scores(database: str) -> None:
    row = read_row(start_match(make_player(), make_player()))
    assert commit(extended(row), rounds=(RoundEnded(1, "ab", [], None, [0, 0]),))
    assert list(Round.objects.filter(scores__isnull=True).values_list("totals", flat=True)) == [[0, 0]]


def test_the_response_is_stored_with_its_members_in_order(database: str) -> None:
    player = make_player()
    row = read_row(start_match(player, make_player()))
    key = RequestKey(player.pk, "POST", "/there", 'it\'s "a" key', "0" * 64)
    body = {"z": 1, "a": {"text": "100 % 'é\" \\ \n"}}
    assert commit(extended(row), answer=Answer(key, 201, body))
    stored = IdempotencyKey.objects.get()
    assert (stored.player_id, stored.method, stored.path, stored.key, stored.body_hash, stored.status) == (
        *key,
        201,
    )
    assert list(stored.body.items()) == list(body.items())
    assert stored.location == ""
    assert abs((timezone.now() - stored.created).total_seconds()) < 60


def test_a_duplicate_idempotency_key_rolls_the_event_back(database: str) -> None:
    player = make_player()
    row = read_row(start_match(player, make_player()))
    answer = Answer(RequestKey(player.pk, "POST", "/there", "key", "0" * 64), 201, {})
    event = extended(row)
    assert commit(event, answer=answer)
    again = extended(event.after)
    with pytest.raises(IntegrityError), transaction.atomic():
        commit(again, answer=answer)
    assert Move.objects.filter(match=row.id).count() == event.after.version


def test_nothing_is_written_if_the_version_is_stale(database: str) -> None:
    player = make_player(notifications={"email": ["your_turn"]}, email_confirmed=True)
    row = read_row(start_match(player, make_player()))
    make_endpoint(player)
    stale = row._replace(version=row.version + 6)
    seats = tuple(seat._replace(timeouts=5) for seat in row.seats)
    deal: Secret[JsonObject] = Secret({"hands": [], "haggis": []})
    notices = Notice.objects.count()
    written = commit(
        extended(stale, seats=seats, totals=[7, 7]),
        rounds=(RoundBegun(2, 0, 1, deal), RoundEnded(1, "ab", [], None, [0, 0])),
        bets=(BetRow(1, 0, 15),),
        answer=Answer(RequestKey(player.pk, "POST", "/there", "key", "0" * 64), 201, {}),
    )
    assert not written
    now = find_match(row.id)
    assert now is not None
    assert now == row._replace(now=now.now)
    assert Round.objects.filter(match=row.id, ended_at=None).count() == 1
    counted = [model.objects.count() for model in (Bet, IdempotencyKey, Delivery)]
    assert counted == [0, 0, 0]
    assert Notice.objects.count() == notices


def test_an_action_is_not_written_after_the_deadline(database: str) -> None:
    match = start_match(make_player(), make_player())
    for deadline, written in ((Now() - SOON, False), (Now() + timedelta(1), True), (None, True)):
        Match.objects.filter(pk=match.pk).update(deadline=deadline)
        row = read_row(match)
        assert commit(extended(row, deadline=row.deadline), in_time=True) is written
    Match.objects.filter(pk=match.pk).update(deadline=Now() - SOON)
    assert commit(extended(read_row(match)))


@on_postgresql
def test_a_deadline_that_passes_during_a_lock_wait_rejects_the_action(committing_database: str) -> None:
    match = start_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(deadline=Now() + SOON)
    event, written = extended(read_row(match)), list[bool]()

    def act() -> None:
        try:
            written.append(commit(event, in_time=True))
        finally:
            connection.close()

    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(
            attempts=1
        )  # like a lease, which does not change the version
        thread = threading.Thread(target=act)
        thread.start()
        thread.join(2 * SOON.total_seconds())
        assert thread.is_alive()
    thread.join(20)
    assert written == [False]


def test_commit_events_writes_each_event_independently(database: str) -> None:
    rows = [read_row(start_match(make_player(), "easy", rounds=number)) for number in (1, 2, 3)]
    Match.objects.filter(pk=rows[1].id).update(version=9)
    deal: Secret[JsonObject] = Secret({"hands": [], "haggis": []})
    events = [extended(row, totals=[1, 2]) for row in rows]
    events[2] = events[2]._replace(rounds=(RoundBegun(2, 0, 1, deal),))
    assert commit_events(events) == [True, False, True]
    assert commit_events([]) == []
    totals = [Match.objects.get(pk=row.id).totals for row in rows]
    assert totals == [[1, 2], rows[1].totals, [1, 2]]
    assert Round.objects.filter(match=rows[2].id).count() == 2


@on_postgresql
def test_all_events_are_two_prepared_statements(committing_database: str) -> None:
    """One with the rarer parts, as the start of a match has, and one without."""
    row = read_row(start_match(make_player(), make_player()))
    changes: list[JsonObject] = [{"deadline": timezone.now()}, {"to_act": 1}, {"totals": [100_000, 0]}, {}]
    for change in changes:
        event = extended(row, **change)
        assert commit(event, bets=(BetRow(1, event.after.version, 15),))
        event = extended(event.after)
        assert commit(event)
        row = event.after
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%WITH changed AS%'")
        assert cursor.fetchone() == (2,)


@on_postgresql
def test_events_are_not_planned_again_where_there_are_many_webhooks(committing_database: str) -> None:
    players = Player.objects.bulk_create(Player(username=f"owner-{number}") for number in range(200))
    Webhook.objects.bulk_create(
        Webhook(
            public_id=f"wh_{number}",
            player=players[number % 200],
            url="https://bots.example/",
            secret=Secret("whsec_"),
            created_at=timezone.now(),
        )
        for number in range(4000)
    )
    row = read_row(start_match(make_player(), make_player()))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for _ in range(12):
        event = extended(row)
        assert commit(event)
        row = event.after
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans FROM pg_prepared_statements"
            " WHERE statement LIKE '%WITH changed AS%' AND statement NOT LIKE '%rounds_begun AS%'"
        )
        [(generic,)] = cursor.fetchall()
    assert generic >= 6
