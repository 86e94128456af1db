"""Build the bodies of webhook requests."""

import json
from collections.abc import Iterable
from typing import Any, NotRequired, TypedDict

from games.core.times import format_time
from games.gateway.documents import LogEntry
from games.matches.models.log import Move
from games.notices.models import PlayerNotice
from games.notices.queries import notices_by_id
from games.notifications import discord
from games.notifications.models import Delivery, Webhook, WebhookFormat


class MatchEventData(TypedDict):
    """The data of an event of a match: the log entry, and how it concerns the player of the endpoint."""

    match: str
    your_seat: int | None
    your_turn: bool
    entry: LogEntry


class NoticeEventData(TypedDict):
    """The id of a notice. The other members are the data of the notice."""

    notice: str


class EventBody(TypedDict):
    """The body of a request to an endpoint of the format `standard`."""

    type: str
    timestamp: str | None
    data: NotRequired[Any]


def load_notices(deliveries: Iterable[Delivery]) -> dict[int, PlayerNotice]:
    """Return the notices of deliveries that still exist, by id."""
    return notices_by_id([each.notice_id for each in deliveries if each.notice_id is not None])


def read_body(delivery: Delivery) -> str | None:
    """Return the request body of a delivery, or `None` if there is nothing to send any more."""
    entries = Move.objects.filter(match=delivery.match_id, version=delivery.version or 0)
    notice = load_notices([delivery]).get(delivery.notice_id or 0)
    return build_body(delivery.webhook, delivery, entries.values_list("entry", flat=True).first(), notice)


def build_body(
    webhook: Webhook, delivery: Delivery, entry: LogEntry | None, notice: PlayerNotice | None
) -> str | None:
    """Return the request body, or `None` if there is nothing to send any more.

    A notice may have been deleted, and a line of text about a turn is not sent once the turn is over.
    """
    if delivery.notice_id is not None and notice is None:
        return None
    if webhook.format == WebhookFormat.DISCORD:
        return discord.build_body(webhook.player, delivery, entry, notice)
    return _build_event(delivery, entry, notice)


def _build_event(delivery: Delivery, entry: LogEntry | None, notice: PlayerNotice | None) -> str:
    """Return the body of a signed event, which is the same for every attempt."""
    at: str | None = format_time(delivery.created_at)
    data: MatchEventData | dict[str, Any] = {}
    if entry is not None:
        at, data = entry["at"], _match_event_data(delivery, entry)
    elif notice is not None:
        at, data = format_time(notice.at), {"notice": notice.public_id, **notice.data}
    event: EventBody = {"type": delivery.type, "timestamp": at, "data": data}
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False)


def _match_event_data(delivery: Delivery, entry: LogEntry) -> MatchEventData:
    to_act = entry["next"]["to_act"]
    return {
        "match": delivery.match_id or "",
        "your_seat": delivery.seat,
        "your_turn": to_act is not None and to_act == delivery.seat,
        "entry": entry,
    }
