"""What the bodies of requests about webhooks look like."""

from typing import ClassVar

from rest_framework import serializers

from games.api.schema.forms.webhooks import webhook_type
from games.api.shapes import Flag, Shape, Text, Whole
from games.models.webhook import LONGEST_DESCRIPTION, LONGEST_URL, SELECTABLE
from games.services.webhooks.secrets import LONGEST_OVERLAP, USUAL_OVERLAP

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
