"""Request and response schemas of webhooks and devices."""

from typing import Any, ClassVar, Final

from rest_framework import serializers

from games.api.schema.deprecation import CreatedField
from games.api.schema.fields import ResponseSerializer, enumeration, list_field
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.matches.models.log import SUBSCRIBABLE_TYPES, DeliveryStatus, NoticeChannel, NoticeKind
from games.notices.models import NoticeType
from games.notifications.models import (
    MAX_DESCRIPTION_LENGTH,
    MAX_NAME_LENGTH,
    MAX_URL_LENGTH,
    NoticeResult,
    StopReason,
    WebhookFormat,
)
from games.notifications.webhooks import DEFAULT_OVERLAP, MAX_OVERLAP

MAX_MATCH_ID_LENGTH: Final = 40
MAX_ENDPOINT_LENGTH: Final = 1000
MAX_KEY_LENGTH: Final = 100

WEBHOOK_TYPES: Final = (*SUBSCRIBABLE_TYPES, *NoticeType.values)

webhook_type = enumeration(
    "WebhookType",
    WEBHOOK_TYPES,
    "The type of a log entry, of an event that it causes, `your_turn`, or the type of a notice. More types "
    "may be added.",
)
webhook_format = enumeration(
    "WebhookFormat",
    WebhookFormat.values,
    "`standard`: a signed JSON object for each event. `discord`: one line of text for a channel of Discord.",
)


class WebhookSerializer(ResponseSerializer):
    """A webhook endpoint, without its secret."""

    id = StringField()
    url = StringField(help_text="Where events are sent.")
    format = webhook_format()
    description = StringField(allow_blank=True)
    match = StringField(
        allow_null=True, help_text="The only match whose events are sent; null: all of your matches."
    )
    types = list_field(
        webhook_type(),
        allow_null=True,
        help_text="The event types that are sent, one message each; null: every log entry of the match or "
        "matches, once, under its own type.",
    )
    active = StrictBooleanField(help_text="Whether events are sent to it.")
    stopped_because = enumeration("StoppedBecause", StopReason.values, "Why the service stopped sending.")(
        allow_null=True
    )
    stopped_at = DateTimeField(allow_null=True)
    failing_since = DateTimeField(
        allow_null=True, help_text="When deliveries began to fail; null: they do not fail."
    )
    created_at = DateTimeField()
    created = CreatedField()
    old_secrets_until = DateTimeField(
        allow_null=True,
        help_text="Until when messages are also signed with a previous secret; null: they are not.",
    )


class NewWebhookSerializer(WebhookSerializer):
    """A webhook endpoint with its new secret, which is returned only once."""

    secret = StringField(help_text="The secret to verify signatures with (Standard Webhooks).")


class AttemptSerializer(ResponseSerializer):
    """An attempt to deliver an event."""

    at = DateTimeField()
    status = IntegerField(
        allow_null=True, help_text="The HTTP status of the response; null: there was no response."
    )
    error = StringField(allow_null=True, help_text="Why there was no response.")
    milliseconds = IntegerField(min_value=0, help_text="How long the attempt took.")


class DeliverySerializer(ResponseSerializer):
    """A delivery and its attempts, without the bodies of the responses."""

    id = StringField(help_text="The value of the header `webhook-id`, the same for every attempt.")
    type = StringField(help_text="The type of the event, or `test`.")
    match = StringField(allow_null=True)
    version = IntegerField(allow_null=True, help_text="The version of the match at this log entry.")
    status = enumeration("DeliveryStatus", DeliveryStatus.values, "The state of a delivery.")()
    created_at = DateTimeField()
    created = CreatedField()
    next_attempt_at = DateTimeField(allow_null=True)
    attempts = AttemptSerializer(many=True, help_text="The latest attempts, oldest first.")


class TypesField(serializers.ListField):
    """A non-empty list of event types, or null for all."""

    def __init__(self) -> None:
        child = webhook_type()
        type_count = len(WEBHOOK_TYPES)
        super().__init__(
            child=child,
            min_length=1,
            max_length=type_count,
            allow_null=True,
            required=False,
            help_text="The event types to send, one message each; null: every log entry of your matches, "
            "once, under its own type, and no notices.",
        )


class WebhookRequestSerializer(RequestSerializer[Any]):
    """A webhook endpoint to create."""

    defaults: ClassVar = {
        "types": None,
        "match": None,
        "description": "",
        "format": WebhookFormat.STANDARD.value,
    }

    url = StringField(
        max_length=MAX_URL_LENGTH, help_text="Where to send events: an https URL on the public internet."
    )
    types = TypesField()
    match = StringField(
        max_length=MAX_MATCH_ID_LENGTH,
        required=False,
        allow_null=True,
        help_text="A match that you can see; null: all of your matches.",
    )
    description = StringField(max_length=MAX_DESCRIPTION_LENGTH, allow_blank=True, required=False)
    format = webhook_format(
        required=False,
        help_text="What is sent. `discord` sends `your_turn`, unless `types` has others of `your_turn`, "
        "`match_end` and the types of notices.",
    )


class ExchangeRequestSerializer(RequestSerializer[Any]):
    """Options for rotating a secret."""

    overlap_seconds = IntegerField(
        min_value=0,
        max_value=int(MAX_OVERLAP.total_seconds()),
        required=False,
        help_text="How long messages are also signed with the previous secrets. Use 0 if one has leaked.",
    )
    defaults: ClassVar = {"overlap_seconds": int(DEFAULT_OVERLAP.total_seconds())}


class WebhookChangesRequestSerializer(RequestSerializer[Any]):
    """Changes to a webhook endpoint; fields that are left out do not change."""

    url = StringField(max_length=MAX_URL_LENGTH, required=False)
    types = TypesField()
    description = StringField(max_length=MAX_DESCRIPTION_LENGTH, allow_blank=True, required=False)
    active = StrictBooleanField(required=False, help_text="Whether events are sent to it.")


class KeysRequestSerializer(RequestSerializer[Any]):
    """The keys that push messages are encrypted for."""

    p256dh = StringField(max_length=MAX_KEY_LENGTH, help_text="The public key of the browser (base64url).")
    auth = StringField(
        max_length=MAX_KEY_LENGTH, help_text="The authentication secret of the browser (base64url)."
    )


class DeviceRequestSerializer(RequestSerializer[Any]):
    """A push subscription as the browser returns it."""

    endpoint = StringField(
        max_length=MAX_ENDPOINT_LENGTH, help_text="The URL of the subscription at the push service."
    )
    keys = KeysRequestSerializer()
    name = StringField(
        max_length=MAX_NAME_LENGTH,
        allow_blank=True,
        required=False,
        help_text="Your name for the device; left out: no name.",
    )


class NoticeAttemptSerializer(ResponseSerializer):
    """An attempt to send a notification, without its content."""

    at = DateTimeField()
    channel = enumeration("NoticeChannel", NoticeChannel.values, "How it was sent.")()
    kind = enumeration("NoticeKind", NoticeKind.values, "What it was about. More kinds may be added.")()
    match = StringField(allow_null=True, help_text="The match that it was about.")
    device = StringField(
        allow_null=True, help_text="The id of the device, which may have been removed since; null: a mail."
    )
    status = enumeration(
        "NoticeStatus",
        NoticeResult.values,
        "`sent`: the mail server or the push service has accepted it. `retrying`: another attempt follows. "
        "`failed`: no other attempt follows.",
    )()
    response = IntegerField(
        allow_null=True,
        help_text="The HTTP status of the response of the push service; null: no response, or a mail.",
    )


class TestMailSerializer(ResponseSerializer):
    """A test mail that will be sent."""

    email = StringField(help_text="The address that it is sent to.")


class PushKeySerializer(ResponseSerializer):
    """The public key of this service."""

    public_key = StringField(help_text="For `pushManager.subscribe`, as `applicationServerKey` (base64url).")


class DeviceSerializer(ResponseSerializer):
    """A device, without its subscription URL."""

    id = StringField()
    name = StringField(allow_blank=True, help_text="The name that its owner chose.")
    service = StringField(help_text="The host of the push service that its browser uses.")
    told_at = DateTimeField(allow_null=True, help_text="When the push service last accepted a message.")
    failing_since = DateTimeField(
        allow_null=True, help_text="When messages began to fail; null: they do not fail."
    )
    created_at = DateTimeField()
    created = CreatedField()
