"""Lines of text for channels of Discord."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.identity.models import Player
from games.matches.models.match import Match
from games.notices.models import ExportReadyData, NoticeType
from games.notices.services import notify_player
from games.notifications.bodies import read_body
from games.notifications.deliveries import claim_batches, dispatch
from games.notifications.discord import MAX_AGE, MAX_LENGTH, MAX_RETRY_AFTER, escape
from games.notifications.models import Delivery, Webhook
from games.notifications.webhooks import send_test
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_player, start_match
from tests.support.receiver import Received, Receiver
from tests.support.table import Table


def make_channel(player: Player, url: str = "https://discord.example/hook", **fields: Any) -> Webhook:
    return make_endpoint(player, url, format="discord", **fields)


def lines_to(webhook: Webhook) -> list[str]:
    """Return the lines of all deliveries that would be sent now."""
    rows = Delivery.objects.select_related("webhook__player").filter(webhook=webhook).order_by("pk")
    return [json.loads(body)["content"] for each in rows if (body := read_body(each)) is not None]


def until_turn_of(seat: int, match: Match) -> None:
    """Play until a seat is to act."""
    table = Table.of(match)
    while Match.objects.get(pk=match.pk).to_act != seat:
        table.take_turn()


def make_due() -> None:
    Delivery.objects.exclude(due_at=None).update(due_at=timezone.now() - timedelta(minutes=1))
    Webhook.objects.update(rests_until=None)


def test_a_turn_is_one_line_with_a_link_to_the_table(database: str, settings: Any) -> None:
    settings.HAGGIS_SITE_ADDRESS = "https://haggis.example"
    me, other = make_player("anna"), make_player("ben")
    channel = make_channel(me)
    match = start_match(me, other)
    until_turn_of(0, match)
    assert lines_to(channel) == [
        f"**anna**: it is your turn against ben (classic). <https://haggis.example/matches/{match.pk}>"
    ]


def test_the_line_names_the_deadline_in_the_language_and_time_zone_of_the_player(database: str) -> None:
    me = make_player("anna", language="de", time_zone="Europe/Berlin")
    channel = make_channel(me)
    until_turn_of(0, start_match(me, make_player("ben"), turn_seconds=86400))
    [line] = lines_to(channel)
    assert line.startswith("**anna**: Du bist am Zug gegen ben (classic)")
    assert "Europe/Berlin" in line


def test_names_are_escaped_and_nobody_is_mentioned(database: str) -> None:
    me = make_player("anna", display_name="@everyone **hi**")
    other = make_player("ben", display_name="<@99> https://x.example")
    channel = make_channel(me)
    until_turn_of(0, start_match(me, other))
    delivery = Delivery.objects.select_related("webhook__player").get(webhook=channel, seat=0)
    body = json.loads(read_body(delivery) or "")
    assert body["allowed_mentions"] == {"parse": []}
    assert body["content"].startswith(
        r"**\@everyone \*\*hi\*\***: it is your turn against \<\@99\> https\:\/\/x\.example (classic)"
    )
    assert set(body) == {"content", "allowed_mentions"}


def test_escaped_text_is_one_line() -> None:
    assert escape("a\r\n_b_\u2028`c`") == r"a \_b\_ \`c\`"


def test_the_longest_names_fit_into_one_message(database: str) -> None:
    long = "*" * 50
    people = [make_player(display_name=long) for _ in range(3)]
    channel = make_channel(people[0])
    match = start_match(*people)
    until_turn_of(0, match)
    [line] = lines_to(channel)
    assert len(line) <= MAX_LENGTH
    assert line.endswith(f"/matches/{match.pk}>")


def test_a_turn_that_is_over_is_not_sent(committing_database: str) -> None:
    me = make_player()
    channel = make_channel(me)
    match = start_match(me, make_player())
    until_turn_of(0, match)
    table = Table.of(match)
    while Match.objects.get(pk=match.pk).to_act == 0:
        table.take_turn()
    assert lines_to(channel) == []
    [batch] = claim_batches(at_most=1)
    assert batch.messages == ()
    assert set(Delivery.objects.values_list("status", flat=True)) == {"failed"}


def test_each_turn_is_posted_once(committing_database: str, receiver: Receiver) -> None:
    me = make_player("anna")
    make_channel(me, receiver.url)
    match = start_match(me, make_player("ben"), rounds=1)
    table = Table.of(match)
    turns, before = 0, None
    while True:
        row = Match.objects.get(pk=match.pk)
        if row.status != "active" or turns == 6:
            break
        turns += row.to_act == 0 and before != 0
        before = row.to_act
        dispatch()
        table.take_turn()
    assert len(receiver.received) == turns
    assert all(each.form["content"].startswith("**anna**: it is your turn") for each in receiver.received)


def test_the_end_of_a_match_and_notices_are_posted_if_asked_for(database: str, settings: Any) -> None:
    settings.HAGGIS_SITE_ADDRESS = "https://haggis.example"
    me, other = make_player("anna"), make_player("ben")
    channel = make_channel(me, types=["match_end", "export_ready", "rating_changed"])
    match = start_match(me, other, rounds=1)
    Table.of(match).finish()
    export: ExportReadyData = {"export": "ex_1", "expires_at": "2026-12-01T00:00:00Z"}
    notify_player(player_id=me.pk, type=NoticeType.EXPORT_READY, data=export)
    end, ready = lines_to(channel)
    assert end.startswith("**anna**: your match against ben (classic) is over: ")
    assert end.endswith(f"<https://haggis.example/matches/{match.pk}>")
    assert ready == ("**anna**: The archive of your data can be downloaded. <https://haggis.example/account>")


def test_the_test_is_a_line_too(committing_database: str, receiver: Receiver) -> None:
    me = make_player("anna")
    channel = make_channel(me, receiver.url)
    send_test(player=me, webhook_id=channel.public_id)
    assert dispatch() == 1
    [received] = receiver.received
    assert received.form["content"].startswith("**anna**: this is a test of Haggis. <http")


@pytest.mark.parametrize(("asked", "waits"), ((2.5, 2.5), (7200, MAX_RETRY_AFTER.total_seconds())))
def test_the_wait_that_discord_asks_for_is_respected_and_is_no_failure(
    committing_database: str, receiver: Receiver, asked: float, waits: float
) -> None:
    me = make_player()
    channel = make_channel(me, receiver.url)
    until_turn_of(0, start_match(me, make_player()))
    receiver.answer = lambda _: 429
    receiver.headers = {"Retry-After": str(asked)}
    before = timezone.now()
    assert dispatch() == 1
    assert dispatch() == 0
    channel.refresh_from_db()
    delivery = Delivery.objects.get()
    assert delivery.due_at is not None
    assert channel.rests_until is not None
    for moment in (delivery.due_at, channel.rests_until):
        assert waits <= (moment - before).total_seconds() < waits + 30
    assert (delivery.status, delivery.tried, channel.failures) == ("pending", 0, 0)
    make_due()
    receiver.answer = lambda _: 204
    assert dispatch() == 1
    assert Delivery.objects.get().status == "delivered"


def test_a_line_that_could_not_be_sent_for_an_hour_is_dropped(
    committing_database: str, receiver: Receiver
) -> None:
    me = make_player()
    make_channel(me, receiver.url)
    until_turn_of(0, start_match(me, make_player()))
    receiver.answer = lambda _: 429
    receiver.headers = {"Retry-After": "1"}
    Delivery.objects.update(created_at=timezone.now() - MAX_AGE - timedelta(minutes=1))
    assert dispatch() == 1
    assert Delivery.objects.get().status == "failed"


@pytest.mark.parametrize("status", (401, 403, 404, 410))
def test_a_deleted_channel_is_stopped(committing_database: str, receiver: Receiver, status: int) -> None:
    me = make_player()
    channel = make_channel(me, receiver.url)
    until_turn_of(0, start_match(me, make_player()))

    def answer(_: Received) -> int:
        return status

    receiver.answer = answer
    dispatch()
    channel.refresh_from_db()
    assert (channel.active, channel.stopped_because) == (False, "gone")
