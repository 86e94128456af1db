"""OpenAPI schemas of webhook messages, one for each type, and the requests that carry them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.api.schema.components import RESPONSE, Components
from games.api.schema.fields import Field, ResponseSerializer, constant_field, mapping_field
from games.api.schema.log import LogEntrySerializer
from games.api.schema.operations import WEBHOOKS, WebhookObject, WebhookOperation
from games.api.serializers import DateTimeField, IntegerField, StrictBooleanField, StringField
from games.matches.models.log import SUBSCRIBABLE_TYPES
from games.notices.models import NoticeType
from games.notices.serializers import NOTICE_SERIALIZERS
from games.notifications.deliveries import TEST

# What each type says, in one sentence. The guide has a section for each.
MEANINGS: Final[Mapping[str, str]] = {
    "joined": "A player or an AI takes a seat.",
    "left": "A player leaves before the start.",
    "invited": "A player is invited to a seat.",
    "declined": "A player declines an invitation.",
    "started": "The match starts: the client seeds are fixed, and the first round is dealt.",
    "play": "A seat plays cards.",
    "pass": "A seat passes.",
    "bet": "A seat bets.",
    "award": "The winner of a bombed trick awards it to another seat.",
    "resigned": "A player resigns.",
    "caretaker": "An AI takes over the seat of an absent player.",
    "reclaimed": "A player takes the seat back from the caretaker.",
    "pause_asked": "A player asks for a pause, or withdraws the request.",
    "paused": "The match pauses.",
    "resume_asked": "A player asks to resume, or withdraws the request.",
    "resumed": "The match resumes.",
    "extended": "The running turn gets more time, after an outage or by an operator.",
    "seat_changed": "The maker opens a seat, gives it to an AI or offers it to a player.",
    "cancelled": "The match is cancelled before its end.",
    "annulled": "An operator annuls the match.",
    "trick_end": "A trick ends with this entry.",
    "out": "A seat goes out with this entry.",
    "round_end": "A round ends with this entry: its scores, hands and link are revealed.",
    "deal": "The next round is dealt with this entry.",
    "match_end": "The match ends with this entry.",
    "your_turn": "A turn of yours begins with this entry; sent once a turn.",
    "seek_matched": "An opponent was found for your seek.",
    "rating_changed": "A rated match has changed your rating.",
    "board_opened": "A board was opened.",
    "board_closed": "A board that you play was closed.",
    "export_ready": "The archive of your data can be downloaded.",
    "security": "Somebody logged in to your account from a new device, or changed what protects it.",
    TEST: "You asked for a test.",
}
EXAMPLES: Final = Path(__file__).with_name("event_examples.json")

_WHAT_HAPPENED: Final = "What happened."
_HEADERS: Final = {
    "webhook-id": "The id of the delivery, the same for every attempt. Ignore ids that you have processed.",
    "webhook-timestamp": "The time of the attempt, in seconds since 1970.",
    "webhook-signature": "`v1,` and the signature of id, timestamp and body in base64 (Standard Webhooks).",
}


class MatchEventDataSerializer(ResponseSerializer):
    """A log entry, and how it concerns the owner of the endpoint."""

    match = StringField(help_text="The ID of the match.")
    your_seat = IntegerField(
        min_value=0,
        max_value=2,
        allow_null=True,
        help_text="The seat that you have taken or that is offered to you; null: you watch.",
    )
    your_turn = StrictBooleanField(help_text="Whether it is your turn after this entry.")
    entry = LogEntrySerializer(help_text="The log entry as a spectator sees it.")


@cache
def event_serializers() -> dict[str, type[ResponseSerializer]]:
    """Return the serializer of the messages of each type."""
    return {
        **{type_: _event_serializer(type_, _match_data()) for type_ in SUBSCRIBABLE_TYPES},
        **{type_.value: _event_serializer(type_, _notice_data(type_)) for type_ in NoticeType},
        TEST: _event_serializer(TEST, mapping_field(StringField(), help_text="Always empty.")),
    }


def _match_data() -> Field:
    return MatchEventDataSerializer(help_text=_WHAT_HAPPENED)


def _event_serializer(type_: str, data: Field) -> type[ResponseSerializer]:
    fields = {
        "__doc__": MEANINGS[type_],
        "type": constant_field(str(type_), help_text="The type that you asked for."),
        "timestamp": DateTimeField(help_text="When it happened."),
        "data": data,
    }
    return type(f"Webhook{_camel(type_)}EventSerializer", (ResponseSerializer,), fields)


def _notice_data(type_: NoticeType) -> Field:
    """Return the field of the data of a notice with its id."""
    data = type(NOTICE_SERIALIZERS[type_.value]().fields["data"])
    fields = {
        "__doc__": data.__doc__,
        "notice": StringField(help_text="The ID of the notice, the same as in event streams."),
    }
    serializer: type[ResponseSerializer] = type(f"Webhook{_camel(type_)}DataSerializer", (data,), fields)
    return serializer(help_text=_WHAT_HAPPENED)


def _camel(type_: str) -> str:
    """Return a type in camel case.

    >>> _camel("round_end")
    'RoundEnd'
    """
    return "".join(part.capitalize() for part in type_.split("_"))


@cache
def event_examples() -> dict[str, Any]:
    """Return an example of the messages of each type."""
    examples: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return examples


def webhooks(components: Components) -> dict[str, WebhookObject]:
    """Return the `webhooks` section of the OpenAPI document, with a request for each type."""
    return {
        type_: {"post": _operation(type_, components, serializer)}
        for type_, serializer in event_serializers().items()
    }


def _operation(type_: str, components: Components, serializer: type[ResponseSerializer]) -> WebhookOperation:
    return {
        "operationId": f"receive{_camel(type_)}",
        "summary": f"Receive `{type_}`",
        "description": (
            f"{MEANINGS[type_]} Each message is sent at least once, and again until your endpoint responds "
            "with 2xx or the retries are used up. Verify the signature before you trust a request. A message "
            "about a match contains what spectators may see; read the match for more."
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
            "content": {
                "application/json": {
                    "schema": components.reference(serializer, RESPONSE),
                    "example": event_examples()[type_],
                }
            },
        },
        "responses": {
            "2XX": {"description": "Accepted. The body is ignored."},
            "4XX": {"description": "Not accepted: the event is sent again later."},
        },
    }
