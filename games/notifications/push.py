"""Manage devices, and send push messages."""

import hashlib
import json
import logging
import secrets
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from games.core.errors import Problem, invalid_field
from games.core.secrets import Secret
from games.identity.models import Player
from games.identity.services import lock_player
from games.matches.models.log import NoticeChannel, NoticeKind
from games.matches.outbox import push_is_offered
from games.notifications import encryption
from games.notifications.http_client import HttpResult, InvalidAddress, parse_url, post
from games.notifications.models import Device, Notice
from games.notifications.outbox import (
    NoticeContent,
    claim_notices,
    current_content,
    delete_notices,
    result,
    retry_later,
    subject,
    until,
)
from games.notifications.queries import require_device

MAX_DEVICES: Final = 8


def add_device(*, player: Player, endpoint: str, keys: Mapping[str, str], name: str = "") -> Device:
    """Tell the player things on this browser from now on. Given again, it is the same device.

    A browser at which somebody else was told before is the player's now, and theirs no more.
    """
    require_push()
    _check(endpoint, keys)
    place = hashlib.sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        lock_player(player)
        Device.objects.filter(place=place).exclude(player=player).delete()
        mine = Device.objects.filter(player=player)
        if not mine.filter(place=place).exists() and mine.count() >= MAX_DEVICES:
            raise Problem("limit_reached", f"You are told things on {MAX_DEVICES} devices at most.")
        told = {
            "player": player,
            "subscription": Secret({"endpoint": endpoint, "keys": dict(keys)}),
            "service": urlsplit(endpoint).hostname or "",
            "name": name,
            "failing_since": None,
        }
        created = {**told, "created_at": timezone.now()}
        device, _ = Device.objects.update_or_create(place=place, defaults=told, create_defaults=created)
    return device


def _check(endpoint: str, keys: Mapping[str, str]) -> None:
    try:
        parse_url(endpoint)
        encryption.validate_keys(keys)
    except InvalidAddress as why:
        raise invalid_field("/endpoint", "unusable_url", str(why)) from why
    except encryption.InvalidKeys as why:
        raise invalid_field(f"/keys/{why.member}", "invalid", str(why)) from why


def remove_device(*, player: Player, device_id: str) -> None:
    """Tell nothing more on one of the player's devices."""
    require_device(player, device_id).delete()


def send_test(*, player: Player, device_id: str) -> Device:
    """Put a message into the outbox that says nothing but that it has arrived."""
    require_push()
    device = require_device(player, device_id)
    version = secrets.randbelow(
        2**31
    )  # another one each time: what is in hand is not forgotten with the last
    Notice.objects.update_or_create(
        player=player,
        kind=NoticeKind.TEST,
        way=NoticeChannel.PUSH,
        about=device.public_id,
        defaults={"version": version, "due_at": Now(), "tried": 0, "devices": [device.public_id]},
    )
    return device


def delete_devices(*, player: Player) -> None:
    """Take away all that a player has."""
    Device.objects.filter(player=player).delete()


_LINES: Final = {
    NoticeKind.INVITATION: "By the rules of {ruleset}.",
    NoticeKind.YOUR_TURN: "By the rules of {ruleset}{until}.",
    NoticeKind.REMINDER: "It is still your turn{until}.",
    NoticeKind.CARETAKER: "You can take your seat back.",
    NoticeKind.MATCH_END: "{result}.",
    NoticeKind.TEST: "This device is told what you asked for.",
}
# Push services keep one message of a topic: 32 characters at most, of those that addresses may hold.
MAX_TOPIC_LENGTH: Final = 32
KEPT_FOR: Final = 24 * 3600
_URGENT_KINDS: Final = frozenset({NoticeKind.YOUR_TURN, NoticeKind.REMINDER})


def build_message(fact: NoticeContent, player: Player) -> str:
    """What the service worker of the pages is told: `tag` is what a later message takes the place of."""
    body = _LINES[fact.kind].format(ruleset=fact.ruleset, until=until(fact, player), result=result(fact))
    path = "/account" if fact.kind == NoticeKind.TEST else f"/matches/{fact.about}"
    told = {"kind": fact.kind, "title": subject(fact), "body": body, "path": path, "tag": fact.about}
    return json.dumps(told, ensure_ascii=False)


def build_headers(fact: NoticeContent, *, now: datetime, authorization: str) -> dict[str, str]:
    """What the push service is told of it: for how long it is worth delivering, and what it replaces."""
    left = KEPT_FOR
    if fact.deadline is not None:
        left = max(0, min(KEPT_FOR, int((fact.deadline - now).total_seconds())))
    return {
        "Authorization": authorization,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(left),
        "Topic": fact.about[:MAX_TOPIC_LENGTH],
        "Urgency": "high" if fact.kind in _URGENT_KINDS else "normal",
    }


# What one sender has in hand: few, so that it is done with them before its lease is over.
AT_ONCE: Final = 8
THREADS: Final = 16
LEASE: Final = timedelta(minutes=2)
SECONDS_IN_A_ROW: Final = 10.0
# A push service that is away is asked again; what has not arrived by then is no news any more.
WAITS: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 900, 3600, 3 * 3600))
# A device that nothing has arrived at for so long, however often it was tried, is told nothing more.
FAILING_LIMIT: Final = timedelta(days=14)

# What a push service says of a browser that is not there any more, and of a moment that is none for it.
_GONE: Final = frozenset({404, 410})
_LATER: Final = frozenset({408, 425, 429})
_SERVER_ERROR: Final = 500

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PushMessage:
    """One thing for one device."""

    notice: Notice
    device: Device
    fact: NoticeContent
    text: str


def send_due_pushes(*, seconds: float = SECONDS_IN_A_ROW) -> int:
    """Send what is due until nothing is, or the time is over; how many messages were taken.

    Any number may do so at once. What a dead sender had in hand is sent by another, and replaces itself on
    whatever device has it already.
    """
    until = time.monotonic() + seconds
    taken = 0
    with ThreadPoolExecutor(THREADS, thread_name_prefix="push") as threads:
        while time.monotonic() < until:
            claimed = claim_notices([NoticeChannel.PUSH], at_most=AT_ONCE, lease=LEASE)
            if not claimed:
                break
            messages = [message for notice in claimed for message in _messages(notice)]
            answers = list(zip(messages, threads.map(_send, messages), strict=True))
            for notice in claimed:
                taken += _record(
                    notice, [(each.device, how) for each, how in answers if each.notice is notice]
                )
    return taken


def _messages(notice: Notice) -> Iterator[PushMessage]:
    """What is to be sent of a notice: nothing if it is not true any more."""
    player = notice.player
    fact = current_content(notice, player) if player.is_active and push_is_offered() else None
    if fact is None:
        return
    text = build_message(fact, player)
    devices = Device.objects.filter(player=player)
    if notice.devices is not None:
        devices = devices.filter(public_id__in=notice.devices)
    for device in devices:
        yield PushMessage(notice, device, fact, text)


def _send(message: PushMessage) -> HttpResult:
    """Send one of them; this runs in a thread that knows nothing of the database."""
    subscription: dict[str, Any] = message.device.subscription.reveal()
    address = subscription["endpoint"]
    headers = build_headers(message.fact, now=timezone.now(), authorization=encryption.vapid_header(address))
    return post(address, encryption.encrypt(message.text, subscription), headers)


def _record(notice: Notice, sent: list[tuple[Device, HttpResult]]) -> int:
    """Write down how it went, and put off what is worth another try; how many devices took it."""
    now = timezone.now()
    for device, answered in sent:
        _record_device(device, answered, now)
    waiting = [device.public_id for device, answered in sent if _is_retryable(answered)]
    if waiting:
        retry_later(notice, WAITS, devices=waiting)
    else:
        delete_notices([notice])
    return sum(answered.is_taken for _, answered in sent)


def _record_device(device: Device, answered: HttpResult, now: datetime) -> None:
    same = Device.objects.filter(pk=device.pk)
    if answered.is_taken:
        same.update(told_at=now, failing_since=None)
    elif answered.status in _GONE or now - (device.failing_since or now) > FAILING_LIMIT:
        same.delete()
    else:
        same.filter(failing_since=None).update(failing_since=now)
        if answered.status is not None and not _is_retryable(answered):
            logger.warning("a push service (%s) refused a message: %s", device.service, answered.status)


def _is_retryable(answered: HttpResult) -> bool:
    """Whether the push service, or the way to it, may be better another time."""
    if answered.status is None:
        return answered.error != "forbidden_address"
    return answered.status >= _SERVER_ERROR or answered.status in _LATER


def require_push() -> None:
    """Refuse unless this service sends push messages."""
    if not push_is_offered():
        raise Problem("push_not_offered")
