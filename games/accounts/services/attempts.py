"""Limit attempts to log in, and remember the devices from which somebody has logged in.

The limits slow an attacker without locking the owner out: a correct password always works from an address
from which it has worked before, even during an attack. The database counts, so the limits are exact and
hold for all processes.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.accounts.models import KnownDevice, LogInAttempt
from games.core.addresses import Source
from games.core.errors import Problem
from games.core.languages import Text
from games.identity.models import Player, PlayerKind
from games.identity.queries import players_by_username

# The devices that were used last are remembered.
MAX_DEVICES: Final = 50
DEVICE_LIFETIME: Final = timedelta(days=365)
# Those of guests, who never log in again, are only for comparison with other accounts.
GUEST_DEVICE_LIFETIME: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A recorded attempt. `retry_after` is set if a limit is exceeded, from an address that is known."""

    username: str
    address: str
    retry_after: int | None = field(default=None)

    def failure(self, code: str, detail: Text = "") -> Problem:
        """Return the problem to raise after a wrong password or code."""
        if self.retry_after is not None:
            return Problem("rate_limited", retry_after=self.retry_after)
        return Problem(code, detail)


def record_attempt(*, username: str, address: str) -> Attempt:
    """Record an attempt to enter a password, and refuse it if there were too many.

    The attempt is recorded before the password is checked, so that concurrent attempts cannot bypass the
    limit. A refused attempt is not counted, so that it does not extend the wait. An attempt from a known
    address is never refused before the password is checked, and it does not wait for other addresses.
    """
    is_known = KnownDevice.objects.filter(
        player__in=players_by_username(username), address=address_digest(address)
    ).exists()
    counted = ("pair", "address") if is_known else ("pair", "address", "account")
    retry_after = _count(_digest(username), address, settings.HAGGIS_LOG_IN_ATTEMPTS, counted)
    if retry_after is not None and not is_known:
        raise Problem("rate_limited", retry_after=retry_after)
    return Attempt(username, address, retry_after)


def record_code_attempt(*, player: Player, address: str) -> Attempt:
    """Record an attempt to enter a code of the second factor, and refuse it if there were too many.

    A code has six digits only, so the limit holds for known addresses too. There it does not count what
    others do, not even others behind the same address.
    """
    is_known = KnownDevice.objects.filter(player=player, address=address_digest(address)).exists()
    key = _code_key(player)
    counted = ("pair",) if is_known else ("pair", "address", "account")
    retry_after = _count(_digest(key), address, settings.HAGGIS_CODE_ATTEMPTS, counted)
    if retry_after is not None:
        raise Problem("rate_limited", retry_after=retry_after)
    return Attempt(key, address)


def _code_key(player: Player) -> str:
    """Return the key under which attempts to enter a code are counted; no username can be equal to it."""
    return f"code:{player.pk}"


def clear_attempts(attempt: Attempt) -> None:
    """Delete the recorded attempts of an account from one address after a success."""
    LogInAttempt.objects.filter(account=_digest(attempt.username), address=attempt.address).delete()


def delete_old_attempts(*, now: datetime) -> int:
    """Delete attempts outside the time window and return their number."""
    deleted, _ = LogInAttempt.objects.filter(at__lt=now - _window()).delete()
    return deleted


def delete_old_devices(*, now: datetime) -> int:
    """Delete devices that nobody has used for a long time, and return their number."""
    unused = Q(last_seen__lt=now - DEVICE_LIFETIME)
    of_guest = Q(player__kind=PlayerKind.GUEST, last_seen__lt=now - GUEST_DEVICE_LIFETIME)
    old = KnownDevice.objects.filter(unused | of_guest).values_list("pk", flat=True)
    deleted, _ = KnownDevice.objects.filter(pk__in=list(old)).delete()
    return deleted


def _count(account: str, address: str, limits: dict[str, int], names: Iterable[str]) -> int | None:
    """Count an attempt, or return the seconds until one is allowed if one of the named limits is exceeded."""
    now = timezone.now()
    attempt = LogInAttempt.objects.create(account=account, address=address, at=now)
    all_conditions = {
        "pair": Q(account=account, address=address),
        "address": Q(address=address),
        "account": Q(account=account),
    }
    conditions = {name: all_conditions[name] for name in names}
    counts = LogInAttempt.objects.filter(
        Q(account=account) | Q(address=address), at__gt=now - _window()
    ).aggregate(
        **{f"{name}_count": Count("pk", filter=condition) for name, condition in conditions.items()},
        **{f"{name}_first": Min("at", filter=condition) for name, condition in conditions.items()},
    )
    locked_until = [
        counts[f"{name}_first"] + _window() for name in conditions if counts[f"{name}_count"] > limits[name]
    ]
    if not locked_until:
        return None
    attempt.delete()
    until: datetime = max(locked_until)
    return max(1, math.ceil((until - now).total_seconds()))


def _window() -> timedelta:
    return timedelta(seconds=settings.HAGGIS_LOG_IN_WINDOW)


def _digest(username: str) -> str:
    """Return a keyed hash of the username, because people sometimes type their password into its field."""
    return salted_hmac("games.accounts.attempts", username.lower(), algorithm="sha256").hexdigest()


# --- Known devices


def remember_device(*, player: Player, source: Source) -> bool:
    """Remember where somebody has proved to own an account; return whether the device is new."""
    now = timezone.now()
    address, device = address_digest(source.address), device_name(source.user_agent)
    key = {"player": player, "address": address, "device": device}
    if KnownDevice.objects.filter(**key).update(last_seen=now):
        return False
    KnownDevice.objects.bulk_create([KnownDevice(**key, last_seen=now)], ignore_conflicts=True)
    newest = (
        KnownDevice.objects.filter(player=player).order_by("-last_seen", "-pk").values_list("pk", flat=True)
    )
    KnownDevice.objects.filter(pk__in=list(newest[MAX_DEVICES:])).delete()
    return True


def address_digest(address: str) -> str:
    """Return a keyed hash of a network address."""
    return salted_hmac("games.accounts.devices", address, algorithm="sha256").hexdigest()


# The first that matches names the program: many pretend to be others as well.
_PROGRAMS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """Return a short name of a device for its owner.

    >>> device_name("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
    'Firefox on Linux'
    >>> device_name("python-httpx/0.28.1")
    'python-httpx'
    >>> device_name("")
    ''
    """
    program = next((name for token, name in _PROGRAMS if token in user_agent), "")
    system = next((name for token, name in _SYSTEMS if token in user_agent), "")
    if program and system:
        return f"{program} on {system}"
    found = re.match(r"[\w.+-]{1,40}", user_agent, re.ASCII)
    return program or system or (found[0] if found else "")
