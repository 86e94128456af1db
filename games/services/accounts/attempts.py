"""Attempts to log in, limited by account and by address, for all processes together."""

import math
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.errors import Problem
from games.models import LogInAttempt


def begin_attempt(*, username: str, address: str) -> None:
    """Count an attempt before it is judged, so that many at once do not get past.

    One too many is refused, and then does not count: whoever waits is let in again.
    """
    now = timezone.now()
    account = _account(username)
    attempt = LogInAttempt.objects.create(account=account, address=address, at=now)
    until = _shut_until(account, address, now)
    if until is not None:
        attempt.delete()
        raise Problem("rate_limited", retry_after=max(1, math.ceil((until - now).total_seconds())))


def end_attempts(*, username: str, address: str) -> None:
    """Forget the attempts of somebody who knew the password in the end."""
    LogInAttempt.objects.filter(account=_account(username), address=address).delete()


def forget_old_attempts(*, now: datetime) -> int:
    """Delete attempts that no longer count; how many there were."""
    deleted, _ = LogInAttempt.objects.filter(at__lt=now - _window()).delete()
    return deleted


def _shut_until(account: str, address: str, now: datetime) -> datetime | None:
    """When the next attempt may be made; None if this one may."""
    limits: dict[str, int] = settings.HAGGIS_LOG_IN_ATTEMPTS
    which = {
        "pair": Q(account=account, address=address),
        "account": Q(account=account),
        "address": Q(address=address),
    }
    counts = LogInAttempt.objects.filter(
        which["account"] | which["address"], at__gt=now - _window()
    ).aggregate(
        **{f"{name}_count": Count("pk", filter=condition) for name, condition in which.items()},
        **{f"{name}_first": Min("at", filter=condition) for name, condition in which.items()},
    )
    shut = [counts[f"{name}_first"] + _window() for name in which if counts[f"{name}_count"] > limits[name]]
    return max(shut, default=None)


def _window() -> timedelta:
    return timedelta(seconds=settings.HAGGIS_LOG_IN_WINDOW)


def _account(username: str) -> str:
    """A name as it is counted: not readable, since people type their password into the wrong field."""
    return salted_hmac("games.accounts.attempts", username.lower(), algorithm="sha256").hexdigest()
