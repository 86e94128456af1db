"""What the bodies of requests about devices look like."""

from typing import Final

from games.api.shapes import Shape, Text
from games.models.device import LONGEST_NAME

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
