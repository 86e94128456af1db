"""Manage devices and send push messages."""

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
from django.utils.translation import gettext_lazy as _

from games.core.errors import Problem, invalid_field
from games.core.languages import message, speaking
from games.core.secrets import Secret
from games.identity.models import Player
from games.identity.services import lock_player
from games.matches.models.log import NoticeChannel, NoticeKind
from games.matches.recipients import push_is_offered
from games.notifications import encryption
from games.notifications.http_client import HttpResult, InvalidAddress, check_url, post
from games.notifications.models import Device, Notice, NoticeResult
from games.notifications.outbox import (
    NoticeContent,
    claim_notices,
    current_content,
    delete_notices,
    failure_result,
    format_deadline,
    format_result,
    format_subject,
    record_attempts,
    retry_later,
)
from games.notifications.queries import account_or_bot, require_device

logger = logging.getLogger(__name__)

MAX_DEVICES: Final = 8

# RFC 8030 limits a topic to 32 URL-safe characters; a push service keeps only the latest message of a topic.
MAX_TOPIC_LENGTH: Final = 32
MAX_TTL_SECONDS: Final = 24 * 3600
_URGENT_KINDS: Final = frozenset({NoticeKind.YOUR_TURN, NoticeKind.REMINDER})

# A small batch, so that it is sent before its lease expires.
BATCH_SIZE: Final = 8
MAX_THREADS: Final = 16
LEASE: Final = timedelta(minutes=2)
MAX_RUN_SECONDS: Final = 10.0
# After the last delay a notification is too old to be useful.
RETRY_DELAYS: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 900, 3600, 3 * 3600))
# A device that has been failing for longer than this is deleted.
FAILING_LIMIT: Final = timedelta(days=14)

# Statuses of an expired subscription, and of failures that a retry may fix.
_GONE: Final = frozenset({404, 410})
_RETRYABLE: Final = frozenset({408, 425, 429})
_SERVER_ERROR: Final = 500


def require_push() -> None:
    """Raise `push_not_offered` unless this service sends push messages."""
    if not push_is_offered():
        raise Problem("push_not_offered")


def add_device(*, player: Player, endpoint: str, keys: Mapping[str, str], name: str = "") -> Device:
    """Add the subscription of a browser as a device, or update the device if the subscription is known.

    If it belongs to another player, it is taken from that player: a browser notifies one player at a time.
    """
    require_push()
    _validate_subscription(endpoint, keys)
    digest = hashlib.sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        lock_player(player)
        Device.objects.filter(place=digest).exclude(player=player).delete()
        mine = Device.objects.filter(player=player)
        if not mine.filter(place=digest).exists() and mine.count() >= MAX_DEVICES:
            raise Problem(
                "limit_reached",
                message("You can have at most {most} devices. Remove one first.", most=MAX_DEVICES),
            )
        columns = {
            "player": player,
            "subscription": Secret({"endpoint": endpoint, "keys": dict(keys)}),
            "service": urlsplit(endpoint).hostname or "",
            "name": name,
            "failing_since": None,
        }
        created = {**columns, "created_at": timezone.now()}
        device, _ = Device.objects.update_or_create(place=digest, defaults=columns, create_defaults=created)
    return device


def _validate_subscription(endpoint: str, keys: Mapping[str, str]) -> None:
    try:
        check_url(endpoint)
        encryption.validate_keys(keys)
    except InvalidAddress as error:
        raise invalid_field("/endpoint", "unusable_url", error.reason) from error
    except encryption.InvalidKeys as error:
        detail = message("{member} is not a valid key of a push subscription.", member=error.member)
        raise invalid_field(f"/keys/{error.member}", "invalid", detail) from error


def remove_device(*, player: Player, device_id: str) -> None:
    """Remove one of the player's devices."""
    require_device(player, device_id).delete()


def send_test(*, player: Player, device_id: str) -> Device:
    """Queue a test message to a device."""
    require_push()
    # A random version, so that a sender that finishes an earlier test does not delete this notice.
    version = secrets.randbelow(2**31)
    with transaction.atomic():
        device = require_device(lock_player(player), device_id)
        Notice.objects.update_or_create(
            player=player,
            kind=NoticeKind.TEST,
            way=NoticeChannel.PUSH,
            about=device.public_id,
            defaults={"version": version, "due_at": Now(), "tried": 0, "devices": [device.public_id]},
        )
    return device


def delete_devices(*, player: Player) -> None:
    """Delete all devices of a player."""
    Device.objects.filter(player=player).delete()


def delete_devices_since(*, player: Player, since: datetime) -> None:
    """Delete the devices that a player and their bots have added since a time."""
    Device.objects.filter(account_or_bot(player), created_at__gte=since).delete()


_LINES: Final = {
    NoticeKind.INVITATION: _("Ruleset: {ruleset}."),
    NoticeKind.YOUR_TURN: _("Ruleset: {ruleset}{deadline}."),
    NoticeKind.REMINDER: _("It is still your turn{deadline}."),
    NoticeKind.CARETAKER: _("You can take your seat back at any time."),
    NoticeKind.MATCH_END: _("{result}."),
    NoticeKind.TEST: _("You will be notified here."),
}


def build_message(content: NoticeContent, player: Player) -> str:
    """Return the JSON for the service worker. A later message with the same `tag` replaces this one."""
    body = content.sentence or _LINES[content.kind].format(
        ruleset=content.ruleset,
        deadline=format_deadline(content, player),
        result=format_result(content),
    )
    path = "/account" if content.kind == NoticeKind.TEST else content.path or f"/matches/{content.about}"
    message = {
        "kind": content.kind,
        "title": format_subject(content),
        "body": body,
        "path": path,
        "tag": content.about,
    }
    return json.dumps(message, ensure_ascii=False)


def build_headers(content: NoticeContent, *, now: datetime, authorization: str) -> dict[str, str]:
    """Return the headers for the push service: authorization, time to live, topic and urgency."""
    ttl = MAX_TTL_SECONDS
    if content.deadline is not None:
        ttl = max(0, min(MAX_TTL_SECONDS, int((content.deadline - now).total_seconds())))
    return {
        "Authorization": authorization,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(ttl),
        "Topic": content.about[:MAX_TOPIC_LENGTH],
        "Urgency": "high" if content.kind in _URGENT_KINDS else "normal",
    }


@dataclass(frozen=True, slots=True)
class PushMessage:
    """A message to one device."""

    notice: Notice
    device: Device
    content: NoticeContent
    text: str


def send_due_pushes(*, seconds: float = MAX_RUN_SECONDS) -> int:
    """Send due messages until none is left or the time is up, and return how many were accepted.

    It is safe to run in several processes. If a sender dies, another sends its messages again; they replace
    those that have already arrived.
    """
    deadline = time.monotonic() + seconds
    accepted = 0
    with ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="push") as threads:
        while time.monotonic() < deadline:
            claimed = claim_notices([NoticeChannel.PUSH], at_most=BATCH_SIZE, lease=LEASE)
            if not claimed:
                break
            messages = [message for notice in claimed for message in _messages(notice)]
            responses = list(zip(messages, threads.map(_send, messages), strict=True))
            for notice in claimed:
                accepted += _record_results(
                    notice,
                    [
                        (message.device, response)
                        for message, response in responses
                        if message.notice is notice
                    ],
                )
    return accepted


def _messages(notice: Notice) -> Iterator[PushMessage]:
    """Yield a message for each device of a notice, or nothing if the notice no longer applies."""
    player = notice.player
    with speaking(player.language):
        content = current_content(notice, player) if player.is_active and push_is_offered() else None
        text = "" if content is None else build_message(content, player)
    if content is None:
        return
    devices = Device.objects.filter(player=player)
    if notice.devices is not None:
        devices = devices.filter(public_id__in=notice.devices)
    for device in devices:
        yield PushMessage(notice, device, content, text)


def _send(message: PushMessage) -> HttpResult:
    """Send a message. It runs in a worker thread, so it must not query the database."""
    subscription: dict[str, Any] = message.device.subscription.reveal()
    address = subscription["endpoint"]
    headers = build_headers(
        message.content, now=timezone.now(), authorization=encryption.vapid_header(address)
    )
    return post(address, encryption.encrypt(message.text, subscription), headers)


def _record_results(notice: Notice, sent: list[tuple[Device, HttpResult]]) -> int:
    """Record the results of a notice, schedule a retry if needed, and count the accepted messages."""
    now = timezone.now()
    for device, response in sent:
        _record_device(device, response, now)
        result = _notice_result(notice, response)
        record_attempts([notice], result, device=device.public_id, response=response.status)
    failed_devices = [device.public_id for device, response in sent if _is_retryable(response)]
    if failed_devices:
        retry_later(notice, RETRY_DELAYS, devices=failed_devices)
    else:
        delete_notices([notice])
    return sum(response.is_success for _, response in sent)


def _record_device(device: Device, response: HttpResult, now: datetime) -> None:
    same = Device.objects.filter(pk=device.pk)
    if response.is_success:
        same.update(told_at=now, failing_since=None)
    elif response.status in _GONE or now - (device.failing_since or now) > FAILING_LIMIT:
        same.delete()
    else:
        same.filter(failing_since=None).update(failing_since=now)
        if response.status is not None and not _is_retryable(response):
            logger.warning("push service %s refused a message: %s", device.service, response.status)


def _notice_result(notice: Notice, response: HttpResult) -> NoticeResult:
    if response.is_success:
        return NoticeResult.SENT
    return failure_result(notice, RETRY_DELAYS) if _is_retryable(response) else NoticeResult.FAILED


def _is_retryable(response: HttpResult) -> bool:
    """Return whether a retry may succeed."""
    if response.status is None:
        return response.error != "forbidden_address"
    return response.status >= _SERVER_ERROR or response.status in _RETRYABLE
