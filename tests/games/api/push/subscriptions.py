"""Browsers that subscribe to push messages, as far as servers know them, and how they read."""

import base64
from typing import Any, Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

AUTH: Final = b"sixteen letters."
# The same every time, so that tables of tests can name it.
KEY: Final = ec.derive_private_key(20_261_118, ec.SECP256R1())


def text(data: bytes) -> str:
    """Base64url, as browsers write it."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def subscription(name: str, endpoint: str = "https://push.example/send") -> dict[str, Any]:
    """What a browser of this name would give."""
    point = KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"endpoint": f"{endpoint}/{name}", "keys": {"p256dh": text(point), "auth": text(AUTH)}}


def read(body: bytes) -> str:
    """What such a browser reads in a message, by the other end of the same standard (RFC 8291)."""
    decrypted: bytes = http_ece.decrypt(body, private_key=KEY, auth_secret=AUTH, version="aes128gcm")
    return decrypted.decode()
