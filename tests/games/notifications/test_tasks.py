"""Tasks that send the outbox, and their schedule."""

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core.mail import EmailMessage
from django.utils import timezone

from games.notifications.models import Delivery, Notice
from games.notifications.tasks import send_mails, send_webhooks
from haggis_service.settings.queues import (
    BACKGROUND_SCHEDULE,
    IN_PROCESS,
    OUTBOX_SCHEDULE,
    celery_settings,
)
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_notified_player, make_player, start_match
from tests.support.receiver import run_receiver


def test_tasks_send_webhooks_and_mails(
    committing_database: str, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    settings.HAGGIS_WEBHOOKS_LOCAL = True
    with run_receiver() as receiver:
        me = make_notified_player("your_turn")
        make_endpoint(me, receiver.url)
        start_match(me, make_notified_player("your_turn"))
        Notice.objects.update(due_at=timezone.now() - timedelta(seconds=1))
        send_webhooks()
        send_mails()
    assert [each.form["type"] for each in receiver.received] == ["started"]
    assert Delivery.objects.get().status == "delivered"
    assert len(mailoutbox) == 1


@pytest.mark.parametrize("line", OUTBOX_SCHEDULE.values(), ids=OUTBOX_SCHEDULE)
def test_scheduled_tasks_use_the_outbox_queue_and_expire(line: dict[str, Any]) -> None:
    assert line["task"] in current_app.tasks
    assert current_app.amqp.router.route({}, line["task"])["queue"].name == "outbox"
    assert line["options"]["expires"] <= 2 * line["schedule"]


def test_tasks_of_threads_are_not_scheduled_in_process() -> None:
    for_redis = celery_settings("redis://redis/0")["CELERY_BEAT_SCHEDULE"]
    in_process = celery_settings(IN_PROCESS)["CELERY_BEAT_SCHEDULE"]
    assert for_redis.keys() - in_process.keys() == BACKGROUND_SCHEDULE.keys()


def test_nothing_is_queued_for_players_without_subscriptions(committing_database: str) -> None:
    start_match(make_player(), make_player())
    assert not Delivery.objects.exists()
    assert not Notice.objects.exists()
