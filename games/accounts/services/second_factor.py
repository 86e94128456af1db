"""Second factors: codes of an authenticator app (TOTP, RFC 6238) and recovery codes."""

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, urlencode

import segno
from django.db import transaction
from django.utils import timezone
from knox.crypto import hash_token

from games.accounts.models import RecoveryCode, SecondFactor, SecurityEventKind
from games.accounts.services.attempts import clear_attempts, record_code_attempt
from games.accounts.services.security import record_security_event
from games.core.errors import Problem, invalid_field
from games.core.languages import message
from games.core.secrets import Secret
from games.core.times import format_time
from games.identity.models import Player, PlayerKind
from games.identity.services import lock_player

ISSUER: Final = "Haggis"
STEP_SECONDS: Final = 30
DIGITS: Final = 6
# Codes of the step before and after this one are accepted, because clocks differ.
_TOLERANCE: Final = 1
_KEY_BYTES: Final = 20  # the length that RFC 4226 recommends
RECOVERY_CODES: Final = 10
_RECOVERY_BYTES: Final = 10  # 80 random bits, so a fast hash is enough
_GROUP: Final = 4


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code as an SVG path of horizontal strokes, in a square of `size` units including its margin."""

    size: int
    path: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The key of a new second factor, as text, and as a URI and a QR code for authenticator apps."""

    key: str = field(repr=False)
    uri: str = field(repr=False)

    @property
    def qr_code(self) -> QrCode:
        """The URI as a QR code."""
        code = segno.make_qr(self.uri, error="m")
        margin = code.default_border_size
        rows = enumerate(code.matrix_iter(border=margin))
        strokes = [f"M{x} {y}.5h1" for y, row in rows for x, is_dark in enumerate(row) if is_dark]
        return QrCode(len(code.matrix) + 2 * margin, "".join(strokes))


def totp(key: bytes, step: int) -> str:
    """Return the code of a time step.

    >>> totp(b"12345678901234567890", 59 // 30)  # the first test vector of RFC 6238
    '287082'
    """
    digest = hmac.digest(key, step.to_bytes(8), hashlib.sha1)
    offset = digest[-1] & 0xF
    number = int.from_bytes(digest[offset : offset + 4]) & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def current_step() -> int:
    """Return the number of the current time step."""
    return int(time.time()) // STEP_SECONDS


def find_second_factor(player: Player) -> SecondFactor | None:
    """Return the second factor of a player that counts, or None."""
    return SecondFactor.objects.filter(player=player, confirmed_at__isnull=False).first()


def second_factor_id(player: Player) -> str | None:
    """Return a value that is different for each second factor of a player, or None without one."""
    factor = find_second_factor(player)
    return None if factor is None else format_time(factor.confirmed_at)


def recovery_codes_left(player: Player) -> int:
    """Return the number of unused recovery codes."""
    return RecoveryCode.objects.filter(player=player).count()


def start_enrolment(*, player: Player) -> Enrolment:
    """Store a new key, which counts once a code of it has been entered, and return it."""
    if player.kind != PlayerKind.HUMAN:
        raise Problem("not_allowed", message("Only registered players can have a second factor."))
    key = secrets.token_bytes(_KEY_BYTES)
    text = base64.b32encode(key).decode()
    with transaction.atomic():
        lock_player(player)
        _require_none(player)
        SecondFactor.objects.update_or_create(
            player=player, defaults={"key": Secret(text), "confirmed_at": None, "last_step": 0}
        )
    return _enrolment(player, text)


def pending_enrolment(*, player: Player) -> Enrolment:
    """Return the key that has been stored and does not count yet, or a new one."""
    factor = SecondFactor.objects.filter(player=player, confirmed_at=None).first()
    return start_enrolment(player=player) if factor is None else _enrolment(player, factor.key.reveal())


def _enrolment(player: Player, text: str) -> Enrolment:
    label = quote(f"{ISSUER}:{player.username}")
    parameters = {"secret": text, "issuer": ISSUER, "digits": DIGITS, "period": STEP_SECONDS}
    return Enrolment(text, f"otpauth://totp/{label}?{urlencode(parameters)}")


def confirm_enrolment(*, player: Player, code: str, address: str) -> list[str]:
    """Let the new second factor count, given a code of it, and return its recovery codes."""
    attempt = record_code_attempt(player=player, address=address)
    codes = [_new_recovery_code() for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        lock_player(player)
        _require_none(player)
        factor = SecondFactor.objects.filter(player=player).first()
        if factor is None:
            raise invalid_field("/code", "wrong_code", message("Start the set-up first, without a code."))
        step = _matching_step(factor, code)
        if step is None:
            raise invalid_field(
                "/code", "wrong_code", message("The code is wrong. Check the clock of your device.")
            )
        SecondFactor.objects.filter(pk=factor.pk).update(confirmed_at=timezone.now(), last_step=step)
        RecoveryCode.objects.filter(player=player).delete()
        RecoveryCode.objects.bulk_create(
            RecoveryCode(player=player, digest=hash_token(_normalise(each))) for each in codes
        )
        record_security_event(player=player, kind=SecurityEventKind.SECOND_FACTOR_ADDED)
    clear_attempts(attempt)
    return codes


def _require_none(player: Player) -> None:
    if find_second_factor(player) is not None:
        raise Problem("second_factor_exists")


def remove_second_factor(*, player: Player) -> None:
    """Remove the second factor with its recovery codes; do nothing if there is none."""
    with transaction.atomic():
        lock_player(player)
        existed = find_second_factor(player) is not None
        RecoveryCode.objects.filter(player=player).delete()
        SecondFactor.objects.filter(player=player).delete()
        if existed:
            record_security_event(player=player, kind=SecurityEventKind.SECOND_FACTOR_REMOVED)


def require_code(*, player: Player, code: str | None, address: str) -> None:
    """Raise `second_factor_required` unless the player has no second factor or the code is valid."""
    factor = find_second_factor(player)
    if factor is None:
        return
    if not code:
        raise Problem(
            "second_factor_required", message("Enter a code of your authenticator app, or a recovery code.")
        )
    attempt = record_code_attempt(player=player, address=address)
    if not _use_code(factor, code) and not _use_recovery_code(player, code):
        raise attempt.failure("second_factor_required", "The code is wrong, or it was used before.")
    clear_attempts(attempt)


def _use_code(factor: SecondFactor, code: str) -> bool:
    """Accept a code of the app once: only one of two concurrent requests updates the row."""
    step = _matching_step(factor, code)
    unused = SecondFactor.objects.filter(pk=factor.pk, confirmed_at__isnull=False, last_step__lt=step or 0)
    return step is not None and bool(unused.update(last_step=step))


def _matching_step(factor: SecondFactor, code: str) -> int | None:
    """Return the time step of a code, or None if no accepted step has this code."""
    key = base64.b32decode(factor.key.reveal())
    now, digits = current_step(), "".join(code.split())
    steps: Iterable[int] = range(now - _TOLERANCE, now + _TOLERANCE + 1)
    matching = [step for step in steps if hmac.compare_digest(totp(key, step).encode(), digits.encode())]
    return max(matching, default=None)


def _use_recovery_code(player: Player, code: str) -> bool:
    """Accept a recovery code once, by deleting it."""
    deleted, _ = RecoveryCode.objects.filter(player=player, digest=hash_token(_normalise(code))).delete()
    return bool(deleted)


def _new_recovery_code() -> str:
    text = base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower()
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def _normalise(code: str) -> str:
    return "".join(each for each in code.lower() if each.isalnum())
