"""Push messages: the key of the service, and the devices of a player."""

from games.api.schema.fields import Form
from games.api.shapes import Moment, Text


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
