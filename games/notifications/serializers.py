"""Request and response schemas of webhooks and devices."""

from typing import ClassVar, Final

from rest_framework import serializers

from games.api.schema.fields import ResponseSerializer, enumeration, list_field
from games.api.schema.log import LogEntrySerializer
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.matches.models.log import SUBSCRIBABLE_TYPES, DeliveryStatus
from games.notifications.models import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_URL_LENGTH, StopReason
from games.notifications.webhooks import MAX_OVERLAP_LENGTH, USUAL_OVERLAP

webhook_type = enumeration(
    "WebhookType",
    SUBSCRIBABLE_TYPES,
    "A type of entry, of what it brings about, or `your_turn`. More may come.",
)


class WebhookSerializer(ResponseSerializer):
    """An endpoint, without its secret."""

    id = StringField()
    url = StringField(help_text="Where events are sent.")
    description = StringField(allow_blank=True)
    match = StringField(
        allow_null=True, help_text="The one match that it is told of; null: all of one's own."
    )
    types = list_field(webhook_type(), allow_null=True, help_text="What it is told of; null: everything.")
    active = StrictBooleanField(help_text="Whether anything is sent to it.")
    stopped_because = enumeration("StoppedBecause", StopReason.values, "Why nothing more is sent.")(
        allow_null=True
    )
    stopped_at = DateTimeField(allow_null=True)
    failing_since = DateTimeField(allow_null=True, help_text="Since when nothing has arrived.")
    created = DateTimeField()
    old_secrets_until = DateTimeField(
        allow_null=True, help_text="Until when a secret that it had before signs too; null: none does."
    )


class NewWebhookSerializer(WebhookSerializer):
    """An endpoint with its new secret, which is shown only here."""

    secret = StringField(help_text="Secret: signatures are verified with it (Standard Webhooks).")


class AttemptSerializer(ResponseSerializer):
    """One try to deliver."""

    at = DateTimeField()
    status = IntegerField(
        allow_null=True, help_text="The status that the receiver answered with; null: no answer."
    )
    error = StringField(allow_null=True, help_text="Why there was no answer.")
    milliseconds = IntegerField(min_value=0, help_text="How long it took.")


class DeliverySerializer(ResponseSerializer):
    """A delivery and how each try went; never what the receiver said."""

    id = StringField(help_text="What the receiver sees as `webhook-id`, the same however often it is sent.")
    type = StringField(help_text="Of the event, or `test`.")
    match = StringField(allow_null=True)
    version = IntegerField(allow_null=True, help_text="The entry of the log.")
    status = enumeration("DeliveryStatus", DeliveryStatus.values, "What has become of it.")()
    created = DateTimeField()
    next_attempt_at = DateTimeField(allow_null=True)
    attempts = AttemptSerializer(many=True, help_text="The last ones.")


class EventDataSerializer(ResponseSerializer):
    """What an event is about; empty for a test."""

    match = StringField(required=False, help_text="The id of the match.")
    entry = LogEntrySerializer(required=False, help_text="The entry of the log, as any spectator sees it.")


class WebhookEventSerializer(ResponseSerializer):
    """What is sent to an endpoint."""

    type = StringField(help_text="A type that was asked for, or `test`.")
    timestamp = DateTimeField(help_text="When it happened.")
    data = EventDataSerializer()  # type: ignore[assignment]  # the metaclass takes it out of the class


MAX_MATCH_ID_LENGTH = 40


class Types(serializers.ListField):
    """Some of the types that there are, or null for all."""

    def __init__(self) -> None:
        child = webhook_type()
        longest = len(SUBSCRIBABLE_TYPES)
        super().__init__(
            child=child,
            min_length=1,
            max_length=longest,
            allow_null=True,
            required=False,
            help_text="What to be told of; null: everything.",
        )


class WebhookRequestSerializer(RequestSerializer):
    """An endpoint."""

    defaults: ClassVar = {"types": None, "match": None, "description": ""}

    url = StringField(
        max_length=MAX_URL_LENGTH, help_text="Where to send events: https, on the public internet."
    )
    types = Types()
    match = StringField(
        max_length=MAX_MATCH_ID_LENGTH,
        required=False,
        allow_null=True,
        help_text="One match that you may see; null: all of your own.",
    )
    description = StringField(max_length=MAX_DESCRIPTION_LENGTH, allow_blank=True, required=False)


class ExchangeRequestSerializer(RequestSerializer):
    """A new secret."""

    overlap_seconds = IntegerField(
        min_value=0,
        max_value=int(MAX_OVERLAP_LENGTH.total_seconds()),
        required=False,
        help_text="How long the secrets that it had sign too. 0: no message more, for a secret that got out.",
    )
    defaults: ClassVar = {"overlap_seconds": int(USUAL_OVERLAP.total_seconds())}


class WebhookChangesRequestSerializer(RequestSerializer):
    """Whatever is to be changed; what is left out stays as it is."""

    url = StringField(max_length=MAX_URL_LENGTH, required=False)
    types = Types()
    description = StringField(max_length=MAX_DESCRIPTION_LENGTH, allow_blank=True, required=False)
    active = StrictBooleanField(required=False, help_text="Whether anything is sent to it.")


MAX_ENDPOINT_LENGTH: Final = 1000
MAX_KEY_LENGTH: Final = 100


class KeysRequestSerializer(RequestSerializer):
    """What messages are encrypted for."""

    p256dh = StringField(max_length=MAX_KEY_LENGTH, help_text="The public key of the browser (base64url).")
    auth = StringField(max_length=MAX_KEY_LENGTH, help_text="The secret that is shared with it (base64url).")


class DeviceRequestSerializer(RequestSerializer):
    """A subscription as a browser gives it."""

    endpoint = StringField(max_length=MAX_ENDPOINT_LENGTH, help_text="Its address at the push service.")
    keys = KeysRequestSerializer()
    name = StringField(
        max_length=MAX_NAME_LENGTH,
        allow_blank=True,
        required=False,
        help_text="As you call the device; left out: no name.",
    )


class PushKeySerializer(ResponseSerializer):
    """The key of the service."""

    public_key = StringField(help_text="For `pushManager.subscribe`, as `applicationServerKey` (base64url).")


class DeviceSerializer(ResponseSerializer):
    """A device, without where it is reached."""

    id = StringField()
    name = StringField(allow_blank=True, help_text="What its owner calls it.")
    service = StringField(help_text="The host of the push service that its browser uses.")
    told_at = DateTimeField(allow_null=True, help_text="When a message to it was taken last.")
    failing_since = DateTimeField(allow_null=True, help_text="Since when none is.")
    created = DateTimeField()
