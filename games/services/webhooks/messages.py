"""What is sent: the entry of the log as any spectator may see it, signed as Standard Webhooks says."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from standardwebhooks import Webhook as Signer

from games.models import Delivery, Secret
from games.times import rfc3339

TEST: Final = "test"


def body_of(delivery: Delivery, entry: dict[str, Any] | None) -> str:
    """The body: the same for every endpoint, and the same however often it is sent."""
    at: str | None = rfc3339(delivery.created_at)
    data: dict[str, Any] = {}
    if entry is not None:
        at, data = entry["at"], {"match": delivery.match_id, "entry": entry}
    form = {"type": delivery.type, "timestamp": at, "data": data}
    return json.dumps(form, separators=(",", ":"), ensure_ascii=False)


def headers_of(delivery_id: str, body: str, secrets: Iterable[Secret[str]], now: datetime) -> dict[str, str]:
    """Its id, the time, and a signature over both and the body for each secret."""
    moment = now.astimezone(UTC)
    signatures = [Signer(secret.reveal()).sign(delivery_id, moment, body) for secret in secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": "haggis-webhooks/1",
        "webhook-id": delivery_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
