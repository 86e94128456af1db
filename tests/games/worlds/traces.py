"""Record the traces of an action that others can read: logs, tasks, webhooks, mails, push messages."""

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.core import mail
from django.db import connection
from django.utils import timezone

from games.matches.models.log import NoticeChannel
from games.matches.models.match import Match
from games.notifications import bodies
from games.notifications.mail import send_due_mails
from games.notifications.models import Delivery, Notice
from games.notifications.outbox import current_content
from games.notifications.push import build_headers, build_message
from tests.games.conftest import take_all

_CARD: Final = re.compile(r"(?<![\w-])[2-9T][royb g](?![\w-])".replace(" ", ""))


@dataclass
class Traces:
    """Everything that was written during an action."""

    log: io.StringIO = field(default_factory=io.StringIO)
    tasks: list[Any] = field(default_factory=list)
    webhooks: list[Any] = field(default_factory=list)
    mails: list[Any] = field(default_factory=list)
    pushes: list[str] = field(default_factory=list)

    def observations(self) -> dict[str, Any]:
        """Return all traces without the values that are random or depend on the time."""
        return {
            "log": _plain(self.log.getvalue()),
            "tasks": self.tasks,
            "webhooks": [(kind, _plain(body)) for kind, body in self.webhooks],
            "mails": [_plain(each) for each in self.mails],
            "pushes": [_plain(each) for each in self.pushes],
        }

    def cards(self) -> set[str]:
        """Return the cards in log messages or task arguments. There should be none."""
        return set(_CARD.findall(self.log.getvalue() + repr(self.tasks)))


_RANDOM_VALUES: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|[\d.]+ ?ms|duration\S*|\d{5,}|request_id\S*"
    r"|Date: .*|Message-ID: .*|unsubscribe\S*"
)


def _plain(text: str) -> str:
    return _RANDOM_VALUES.sub("", text)


@contextmanager
def record_traces(match: Match) -> Iterator[Traces]:
    """Record what the block writes, then render the content of the outboxes."""
    traces = Traces()
    handler = logging.StreamHandler(traces.log)
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    mail.outbox.clear()
    Notice.objects.all().delete()
    take_all()
    try:
        with _on_commit():
            yield traces
        Notice.objects.update(due_at=timezone.now() - timedelta(seconds=1))
        send_due_mails()
        traces.pushes = [*_pushed()]
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    traces.tasks = [(message.task, message.arguments) for message in take_all()]
    traces.mails = [str(each.message()) for each in mail.outbox]
    sent = Delivery.objects.select_related("webhook__player").filter(match=match)
    traces.webhooks = [(each.type, bodies.read_body(each) or "") for each in sent.order_by("pk")]


def _pushed() -> Iterator[str]:
    """Yield every pending push message before encryption."""
    for notice in Notice.objects.select_related("player").filter(way=NoticeChannel.PUSH).order_by("pk"):
        fact = current_content(notice, notice.player)
        if fact is not None:
            headers = build_headers(fact, now=timezone.now(), authorization="")
            yield f"{notice.player_id} {build_message(fact, notice.player)} {headers}"


@contextmanager
def _on_commit() -> Iterator[None]:
    """Run the on-commit callbacks of the block, although the transaction of a test is never committed."""
    before = len(connection.run_on_commit)
    yield
    callbacks, connection.run_on_commit = connection.run_on_commit[before:], connection.run_on_commit[:before]
    for callback in callbacks:
        callback[1]()
