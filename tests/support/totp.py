"""Codes of an authenticator app, computed independently of the service."""

import base64
import hmac
import time


def totp_code(secret: str, steps_ahead: int = 0) -> str:
    """Return the code of a key in base32, for the current time step or a later one."""
    message = (int(time.time()) // 30 + steps_ahead).to_bytes(8)
    digest = hmac.digest(base64.b32decode(secret), message, "sha1")
    start = digest[19] & 15
    number = int.from_bytes(digest[start : start + 4]) & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"
