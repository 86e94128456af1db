"""Limits on login attempts."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.accounts.models import LogInAttempt
from games.accounts.services.credentials import clear_attempts, delete_old_attempts, record_attempt
from games.core.errors import Problem
from tests.support.concurrency import run_concurrently

ADDRESS = "10.0.0.1"


def make_attempts(count: int, username: str = "heather", address: str = ADDRESS) -> list[bool]:
    """Make a number of attempts and return which of them were allowed."""
    return [make_attempt(username, address) for _ in range(count)]


def make_attempt(username: str, address: str) -> bool:
    try:
        record_attempt(username=username, address=address)
    except Problem as refusal:
        if refusal.code != "rate_limited":
            raise
        return False
    return True


@pytest.fixture(autouse=True)
def _limits(settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 3, "account": 5, "address": 6}
    settings.HAGGIS_LOG_IN_WINDOW = 900


def test_attempts_are_limited_per_account_and_address(database: str) -> None:
    assert make_attempts(5) == [True] * 3 + [False] * 2


def test_attempts_on_one_account_are_limited_across_addresses(database: str) -> None:
    assert [make_attempts(1, address=f"10.0.0.{number}")[0] for number in range(7)] == [True] * 5 + [
        False
    ] * 2


def test_attempts_from_one_address_are_limited_across_accounts(database: str) -> None:
    assert [make_attempts(1, username=f"player{number}")[0] for number in range(8)] == [True] * 6 + [
        False
    ] * 2


def test_attempts_are_allowed_again_after_the_window(database: str) -> None:
    make_attempts(5)
    LogInAttempt.objects.update(at=timezone.now() - timedelta(seconds=901))
    assert make_attempts(1) == [True]


def test_a_refused_attempt_does_not_extend_the_lockout(database: str) -> None:
    make_attempts(3)
    LogInAttempt.objects.update(at=timezone.now() - timedelta(seconds=890))
    with pytest.raises(Problem) as refused:
        record_attempt(username="heather", address=ADDRESS)
    assert refused.value.extra["retry_after"] in range(1, 11)
    assert LogInAttempt.objects.count() == 3


def test_a_successful_login_clears_the_attempts_from_that_address(database: str) -> None:
    make_attempts(3)
    make_attempts(1, address="10.0.0.2")
    clear_attempts(username="HEATHER", address=ADDRESS)
    assert LogInAttempt.objects.get().address == "10.0.0.2"


def test_delete_old_attempts_deletes_only_attempts_outside_the_window(database: str) -> None:
    make_attempts(3)
    assert delete_old_attempts(now=timezone.now()) == 0
    assert delete_old_attempts(now=timezone.now() + timedelta(hours=1)) == 3


def test_concurrent_attempts_cannot_bypass_the_limit(committing_database: str) -> None:
    allowed = run_concurrently([partial(make_attempt, "heather", ADDRESS)] * 12)
    assert sum(allowed) <= 3
