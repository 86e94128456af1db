"""Webhooks: endpoints, deliveries, and what is sent."""

from games.api.schema.fields import Form, enumeration, list_of
from games.api.schema.forms.log import LogEntryForm
from games.api.shapes import Flag, Moment, Text, Whole
from games.models.delivery import DeliveryStatus
from games.models.webhook import SELECTABLE, StoppedBecause

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
