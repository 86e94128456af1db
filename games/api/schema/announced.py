"""What the service sends by itself: the webhooks of the document (3.1 alone knows them)."""

from typing import Any, Final

from games.api.schema.components import RESPONSE, Components
from games.api.schema.forms.webhooks import WebhookEventForm
from games.api.schema.prose import WEBHOOKS

Json = dict[str, Any]

_HEADERS: Final = {
    "webhook-id": "The same however often it is sent: whoever has seen it does nothing.",
    "webhook-timestamp": "When it is sent, in seconds since 1970.",
    "webhook-signature": "`v1,` and the signature over id, time and body, in base64 (Standard Webhooks).",
}


def webhooks(components: Components) -> Json:
    """The one request that endpoints get."""
    operation = {
        "operationId": "receiveEvent",
        "summary": "Something happened at a table",
        "description": (
            "Sent to each endpoint that asked for it, at least once, until it answers 2xx. Check the "
            "signature before believing it. It tells what any spectator may see; look at the table for more."
        ),
        "tags": [WEBHOOKS.name],
        "security": [],
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": text,
                "schema": {"type": "string"},
            }
            for name, text in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": components.point_to(WebhookEventForm, RESPONSE)}},
        },
        "responses": {"2XX": {"description": "It has arrived. The body is not read."}},
    }
    return {"event": {"post": operation}}
