"""Telling by push messages what is due, if still true: to each device of its player, several at once."""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from games.matches.outbox import push_is_offered
from games.models import Device, Notice, NoticeWay
from games.services.notices.claiming import claim, forget, put_off
from games.services.notices.truth import Fact, fact_of
from games.services.push import encrypting
from games.services.push.messages import headers_of, message_of
from games.services.webhooks.posting import Answered, post

# What one sender has in hand: few, so that it is done with them before its lease is over.
AT_ONCE: Final = 8
THREADS: Final = 16
LEASE: Final = timedelta(minutes=2)
SECONDS_IN_A_ROW: Final = 10.0
# A push service that is away is asked again; what has not arrived by then is no news any more.
WAITS: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 900, 3600, 3 * 3600))
# A device that nothing has arrived at for so long, however often it was tried, is told nothing more.
LASTING: Final = timedelta(days=14)

# What a push service says of a browser that is not there any more, and of a moment that is none for it.
_GONE: Final = frozenset({404, 410})
_LATER: Final = frozenset({408, 425, 429})
_OWN_FAULT: Final = 500

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Message:
    """One thing for one device."""

    notice: Notice
    device: Device
    fact: Fact
    text: str


def send_pushes(*, seconds: float = SECONDS_IN_A_ROW) -> int:
    """Send what is due until nothing is, or the time is over; how many messages were taken.

    Any number may do so at once. What a dead sender had in hand is sent by another, and replaces itself on
    whatever device has it already.
    """
    until = time.monotonic() + seconds
    taken = 0
    with ThreadPoolExecutor(THREADS, thread_name_prefix="push") as threads:
        while time.monotonic() < until:
            claimed = claim([NoticeWay.PUSH], at_most=AT_ONCE, lease=LEASE)
            if not claimed:
                break
            messages = [message for notice in claimed for message in _messages(notice)]
            answers = list(zip(messages, threads.map(_send, messages), strict=True))
            for notice in claimed:
                taken += _record(
                    notice, [(each.device, how) for each, how in answers if each.notice is notice]
                )
    return taken


def _messages(notice: Notice) -> Iterator[Message]:
    """What is to be sent of a notice: nothing if it is not true any more."""
    player = notice.player
    fact = fact_of(notice, player) if player.is_active and push_is_offered() else None
    if fact is None:
        return
    text = message_of(fact, player)
    devices = Device.objects.filter(player=player)
    if notice.devices is not None:
        devices = devices.filter(public_id__in=notice.devices)
    for device in devices:
        yield Message(notice, device, fact, text)


def _send(message: Message) -> Answered:
    """Send one of them; this runs in a thread that knows nothing of the database."""
    subscription: dict[str, Any] = message.device.subscription.reveal()
    address = subscription["endpoint"]
    headers = headers_of(message.fact, now=timezone.now(), authorization=encrypting.signature(address))
    return post(address, encrypting.encrypted(message.text, subscription), headers)


def _record(notice: Notice, sent: list[tuple[Device, Answered]]) -> int:
    """Write down how it went, and put off what is worth another try; how many devices took it."""
    now = timezone.now()
    for device, answered in sent:
        _record_device(device, answered, now)
    waiting = [device.public_id for device, answered in sent if _may_be_taken_later(answered)]
    if waiting:
        put_off(notice, WAITS, devices=waiting)
    else:
        forget([notice])
    return sum(answered.is_taken for _, answered in sent)


def _record_device(device: Device, answered: Answered, now: datetime) -> None:
    same = Device.objects.filter(pk=device.pk)
    if answered.is_taken:
        same.update(told_at=now, failing_since=None)
    elif answered.status in _GONE or now - (device.failing_since or now) > LASTING:
        same.delete()
    else:
        same.filter(failing_since=None).update(failing_since=now)
        if answered.status is not None and not _may_be_taken_later(answered):
            logger.warning("a push service (%s) refused a message: %s", device.service, answered.status)


def _may_be_taken_later(answered: Answered) -> bool:
    """Whether the push service, or the way to it, may be better another time."""
    if answered.status is None:
        return answered.error != "forbidden_address"
    return answered.status >= _OWN_FAULT or answered.status in _LATER
