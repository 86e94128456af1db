"""Request and response schemas of webhooks and devices."""

from typing import ClassVar, Final

from rest_framework import serializers

from games.api.schema.fields import Form, enumeration, list_of
from games.api.schema.log import LogEntryForm
from games.api.serializers import Flag, Moment, Shape, Text, Whole
from games.matches.models.log import SELECTABLE, DeliveryStatus
from games.notifications.models import LONGEST_DESCRIPTION, LONGEST_NAME, LONGEST_URL, StoppedBecause
from games.notifications.webhooks import LONGEST_OVERLAP, USUAL_OVERLAP

webhook_type = enumeration(
    "WebhookType",
    SELECTABLE,
    "A type of entry, of what it brings about, or `your_turn`. More may come.",
)


class WebhookForm(Form):
    """An endpoint, without its secret."""

    id = Text()
    url = Text(help_text="Where events are sent.")
    description = Text(allow_blank=True)
    match = Text(allow_null=True, help_text="The one match that it is told of; null: all of one's own.")
    types = list_of(webhook_type(), allow_null=True, help_text="What it is told of; null: everything.")
    active = Flag(help_text="Whether anything is sent to it.")
    stopped_because = enumeration("StoppedBecause", StoppedBecause.values, "Why nothing more is sent.")(
        allow_null=True
    )
    stopped_at = Moment(allow_null=True)
    failing_since = Moment(allow_null=True, help_text="Since when nothing has arrived.")
    created = Moment()
    old_secrets_until = Moment(
        allow_null=True, help_text="Until when a secret that it had before signs too; null: none does."
    )


class NewWebhookForm(WebhookForm):
    """An endpoint with its new secret, which is shown only here."""

    secret = Text(help_text="Secret: signatures are verified with it (Standard Webhooks).")


class AttemptForm(Form):
    """One try to deliver."""

    at = Moment()
    status = Whole(allow_null=True, help_text="The status that the receiver answered with; null: no answer.")
    error = Text(allow_null=True, help_text="Why there was no answer.")
    milliseconds = Whole(min_value=0, help_text="How long it took.")


class DeliveryForm(Form):
    """A delivery and how each try went; never what the receiver said."""

    id = Text(help_text="What the receiver sees as `webhook-id`, the same however often it is sent.")
    type = Text(help_text="Of the event, or `test`.")
    match = Text(allow_null=True)
    version = Whole(allow_null=True, help_text="The entry of the log.")
    status = enumeration("DeliveryStatus", DeliveryStatus.values, "What has become of it.")()
    created = Moment()
    next_attempt_at = Moment(allow_null=True)
    attempts = AttemptForm(many=True, help_text="The last ones.")


class EventDataForm(Form):
    """What an event is about; empty for a test."""

    match = Text(required=False, help_text="The id of the match.")
    entry = LogEntryForm(required=False, help_text="The entry of the log, as any spectator sees it.")


class WebhookEventForm(Form):
    """What is sent to an endpoint."""

    type = Text(help_text="A type that was asked for, or `test`.")
    timestamp = Moment(help_text="When it happened.")
    data = EventDataForm()  # type: ignore[assignment]  # the metaclass takes it out of the class


LONGEST_MATCH_ID = 40


class Types(serializers.ListField):
    """Some of the types that there are, or null for all."""

    def __init__(self) -> None:
        child = webhook_type()
        longest = len(SELECTABLE)
        super().__init__(
            child=child,
            min_length=1,
            max_length=longest,
            allow_null=True,
            required=False,
            help_text="What to be told of; null: everything.",
        )


class WebhookShape(Shape):
    """An endpoint."""

    defaults: ClassVar = {"types": None, "match": None, "description": ""}

    url = Text(max_length=LONGEST_URL, help_text="Where to send events: https, on the public internet.")
    types = Types()
    match = Text(
        max_length=LONGEST_MATCH_ID,
        required=False,
        allow_null=True,
        help_text="One match that you may see; null: all of your own.",
    )
    description = Text(max_length=LONGEST_DESCRIPTION, allow_blank=True, required=False)


class ExchangeShape(Shape):
    """A new secret."""

    overlap_seconds = Whole(
        min_value=0,
        max_value=int(LONGEST_OVERLAP.total_seconds()),
        required=False,
        help_text="How long the secrets that it had sign too. 0: no message more, for a secret that got out.",
    )
    defaults: ClassVar = {"overlap_seconds": int(USUAL_OVERLAP.total_seconds())}


class WebhookChangesShape(Shape):
    """Whatever is to be changed; what is left out stays as it is."""

    url = Text(max_length=LONGEST_URL, required=False)
    types = Types()
    description = Text(max_length=LONGEST_DESCRIPTION, allow_blank=True, required=False)
    active = Flag(required=False, help_text="Whether anything is sent to it.")


LONGEST_ENDPOINT: Final = 1000
LONGEST_KEY: Final = 100


class KeysShape(Shape):
    """What messages are encrypted for."""

    p256dh = Text(max_length=LONGEST_KEY, help_text="The public key of the browser (base64url).")
    auth = Text(max_length=LONGEST_KEY, help_text="The secret that is shared with it (base64url).")


class DeviceShape(Shape):
    """A subscription as a browser gives it."""

    endpoint = Text(max_length=LONGEST_ENDPOINT, help_text="Its address at the push service.")
    keys = KeysShape()
    name = Text(
        max_length=LONGEST_NAME,
        allow_blank=True,
        required=False,
        help_text="As you call the device; left out: no name.",
    )


class PushKeyForm(Form):
    """The key of the service."""

    public_key = Text(help_text="For `pushManager.subscribe`, as `applicationServerKey` (base64url).")


class DeviceForm(Form):
    """A device, without where it is reached."""

    id = Text()
    name = Text(allow_blank=True, help_text="What its owner calls it.")
    service = Text(help_text="The host of the push service that its browser uses.")
    told_at = Moment(allow_null=True, help_text="When a message to it was taken last.")
    failing_since = Moment(allow_null=True, help_text="Since when none is.")
    created = Moment()
