"""Encrypt push messages (RFC 8291) and sign them (RFC 8292)."""

# ruff: noqa: PLC0415 -- the packages for push messages are optional

import base64
import binascii
import time
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.conf import settings

if TYPE_CHECKING:
    from py_vapid import Vapid02

PUBLIC_KEY_BYTES: Final = 65
AUTH_BYTES: Final = 16
COORDINATE_BYTES: Final = 32
PRIVATE_KEY_BYTES: Final = 32
# RFC 8292 allows up to a day; less leaves room for clock skew.
TOKEN_LIFETIME_SECONDS: Final = 12 * 3600

Subscription = Mapping[str, Any]


class InvalidKeys(Exception):
    """The keys of a subscription are malformed; `member` is the name of the invalid one."""

    def __init__(self, member: str) -> None:
        super().__init__(member)
        self.member = member


def encrypt(text: str, subscription: Subscription) -> bytes:
    """Encrypt the text so that only the browser of this subscription can read it."""
    from pywebpush import WebPusher

    body: bytes = WebPusher(dict(subscription)).encode(text.encode(), "aes128gcm")["body"]
    return body


def validate_keys(keys: Mapping[str, str]) -> None:
    """Raise `InvalidKeys` if messages cannot be encrypted for these keys."""
    for member, length in (("p256dh", PUBLIC_KEY_BYTES), ("auth", AUTH_BYTES)):
        if len(_decode(keys[member])) != length:
            raise InvalidKeys(member)
    try:
        encrypt("?", {"endpoint": "", "keys": dict(keys)})
    except ValueError as error:  # not a point on the curve
        raise InvalidKeys("p256dh") from error


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""


def vapid_header(address: str) -> str:
    """Return the `Authorization` header that identifies this service to a push service (VAPID)."""
    parts = urlsplit(address)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + TOKEN_LIFETIME_SECONDS,
        "sub": settings.HAGGIS_PUSH_CONTACT,
    }
    header: str = _signer(settings.HAGGIS_PUSH_KEY).sign(claims)["Authorization"]
    return header


def public_key() -> str:
    """Return the public VAPID key, which browsers bind their subscriptions to."""
    return _encode(_public_bytes(_signer(settings.HAGGIS_PUSH_KEY)))


@cache
def _signer(key: str) -> "Vapid02":
    from py_vapid import Vapid02

    return Vapid02.from_raw(key.encode())


def new_key() -> tuple[str, str]:
    """Generate a VAPID key pair and return the private and the public key."""
    from py_vapid import Vapid02

    signer = Vapid02()
    signer.generate_keys()
    private = signer.private_key.private_numbers().private_value.to_bytes(PRIVATE_KEY_BYTES, "big")
    return _encode(private), _encode(_public_bytes(signer))


def _public_bytes(signer: "Vapid02") -> bytes:
    numbers = signer.private_key.public_key().public_numbers()
    x, y = (int(number).to_bytes(COORDINATE_BYTES, "big") for number in (numbers.x, numbers.y))
    return b"\x04" + x + y


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
