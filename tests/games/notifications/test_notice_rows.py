"""Which notices an event inserts, for whom, and when they are due."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.clock.timeouts import time_out_due_turns
from games.identity.models import Closing
from games.identity.services import close_account
from games.lobby.services.creation import create_match
from games.lobby.services.seats import start
from games.matches.recipients import next_digest
from games.notifications.models import Notice
from tests.support.factories import (
    JsonObject,
    make_match,
    make_notified_player,
    make_overdue,
    read_row,
    start_match,
)
from tests.support.table import Table

ALL = ["invitation", "your_turn", "reminder", "caretaker", "match_end"]


def pending_notices() -> list[tuple[int, str, str, str, int]]:
    """Return all pending notices."""
    rows = Notice.objects.order_by("pk")
    return list(rows.values_list("player", "kind", "way", "about", "version"))


def test_turn_mail_is_due_after_the_configured_delay(database: str, settings: Any) -> None:
    settings.HAGGIS_TURN_MAIL_SECONDS = 120
    people = make_notified_player("your_turn"), make_notified_player("your_turn")
    match = start_match(*people)
    first = people[match.to_act or 0]
    assert pending_notices() == [(first.pk, "your_turn", "email", match.pk, 1)]
    due = Notice.objects.get().due_at
    assert timedelta(seconds=100) < due - timezone.now() < timedelta(seconds=130)


def test_later_turn_replaces_the_notice_of_an_earlier_one(database: str) -> None:
    people = make_notified_player("your_turn"), make_notified_player("your_turn")
    match = start_match(*people, target_score=1000)
    table = Table.of(match)
    for _ in range(12):
        table.take_turn()
    assert len(pending_notices()) <= 2
    assert {about for *_, about, _ in pending_notices()} == {match.pk}
    latest = max(version for *_, version in pending_notices())
    assert latest > 5


def test_bet_of_another_player_does_not_replace_the_turn_notice(database: str) -> None:
    people = make_notified_player("your_turn"), make_notified_player("your_turn")
    match = start_match(*people)
    other = people[1 - (match.to_act or 0)]
    Table.of(match).bet(other.username, 15)
    assert [version for *_, version in pending_notices()] == [1]


@pytest.mark.parametrize("fields", ({"email_confirmed": False}, {"notifications": {"push": ALL}}))
def test_no_notice_without_confirmed_address_or_channel(
    database: str, fields: dict[str, Any], settings: Any
) -> None:
    settings.HAGGIS_PUSH_KEY = ""
    start_match(make_notified_player(*ALL, **fields), make_notified_player(*ALL, **fields))
    assert pending_notices() == []


def test_no_notice_for_closed_accounts(database: str) -> None:
    people = [make_notified_player(*ALL) for _ in range(2)]
    match = make_match(*people)
    for player in people:
        close_account(player=player, closing=Closing.BAN)
    start(read_row(match), by_seat=None)
    assert pending_notices() == []


def test_no_turn_mail_in_live_matches(database: str) -> None:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"), turn_seconds=120)
    assert pending_notices() == []
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"), turn_seconds=24 * 3600)
    assert len(pending_notices()) == 1


def test_turn_push_is_due_soon_also_in_live_matches(database: str, settings: Any) -> None:
    settings.HAGGIS_TURN_PUSH_SECONDS = 40
    for turn_seconds, wait in ((None, 40), (24 * 3600, 40), (120, 30)):
        Notice.objects.all().delete()
        people = [make_notified_player("your_turn", way="push", email_confirmed=False) for _ in range(2)]
        match = start_match(*people, turn_seconds=turn_seconds)
        assert pending_notices() == [(people[match.to_act or 0].pk, "your_turn", "push", match.pk, 1)]
        left = Notice.objects.get().due_at - timezone.now()
        assert timedelta(seconds=wait - 10) < left <= timedelta(seconds=wait)


def test_replaced_notice_is_for_all_devices_again(database: str) -> None:
    people = [make_notified_player("your_turn", way="push") for _ in range(2)]
    match = start_match(*people, target_score=1000)
    Notice.objects.update(devices=["dv_1"], tried=2)
    table = Table.of(match)
    for _ in range(12):
        table.take_turn()
    assert {(notice.tried, notice.devices) for notice in Notice.objects.all()} == {(0, None)}


def test_invited_player_gets_a_notice(database: str) -> None:
    invited = make_notified_player("invitation")
    seats: list[JsonObject] = [{"kind": "me"}, {"kind": "player", "username": invited.username}]
    table = create_match(maker=make_notified_player(*ALL), body={"ruleset": "classic", "seats": seats})
    assert [(each[0], each[1], each[3]) for each in pending_notices()] == [
        (invited.pk, "invitation", table["id"])
    ]


def test_only_the_replaced_player_gets_a_caretaker_notice(database: str) -> None:
    people = [make_notified_player("caretaker") for _ in range(3)]
    match = start_match(*people, turn_seconds=10, timeouts_allowed=0)
    make_overdue(match)
    time_out_due_turns()
    assert pending_notices() == [(people[match.to_act or 0].pk, "caretaker", "email", match.pk, 2)]


def test_all_subscribed_players_get_a_match_end_notice(database: str) -> None:
    people = make_notified_player("match_end"), make_notified_player("match_end")
    match = start_match(*people, rounds=1)
    Table.of(match).finish()
    assert {(each[0], each[1]) for each in pending_notices()} == {(one.pk, "match_end") for one in people}


def test_digest_is_due_in_the_morning_of_the_player(database: str) -> None:
    people = [make_notified_player("your_turn", way="digest", time_zone="Asia/Tokyo") for _ in range(2)]
    match = start_match(*people)
    notice = Notice.objects.get()
    assert (notice.way, notice.about) == ("digest", match.pk)
    assert notice.due_at.astimezone(UTC).hour == 23
    assert timezone.now() < notice.due_at <= timezone.now() + timedelta(days=1)


@pytest.mark.parametrize(
    ("now", "time_zone", "at"),
    (
        ("2026-07-01T06:59:59", "Europe/London", "2026-07-01T07:00"),
        ("2026-07-01T07:00:00", "Europe/London", "2026-07-02T07:00"),
        ("2026-01-01T07:00:00", "Europe/London", "2026-01-01T08:00"),
        ("2026-03-28T12:00:00", "Europe/London", "2026-03-29T07:00"),
        ("2026-06-30T23:00:00", "Pacific/Kiritimati", "2026-07-01T18:00"),
    ),
)
def test_next_digest_uses_the_time_zone_of_the_player(now: str, time_zone: str, at: str) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert next_digest(moment, time_zone).astimezone(UTC).isoformat().startswith(at)
