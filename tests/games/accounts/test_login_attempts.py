"""Attempts to log in, counted."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.accounts.models import LogInAttempt
from games.accounts.services.credentials import clear_attempts, delete_old_attempts, record_attempt
from games.core.errors import Problem
from tests.support.concurrency import run_concurrently

HERE = "10.0.0.1"


def attempts(count: int, username: str = "heather", address: str = HERE) -> list[bool]:
    """Which of so many attempts are let through."""
    return [attempt(username, address) for _ in range(count)]


def attempt(username: str, address: str) -> bool:
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


def test_at_one_account_from_one_address(database: str) -> None:
    assert attempts(5) == [True] * 3 + [False] * 2


def test_at_one_account_from_everywhere(database: str) -> None:
    assert [attempts(1, address=f"10.0.0.{number}")[0] for number in range(7)] == [True] * 5 + [False] * 2


def test_from_one_address_at_everybody(database: str) -> None:
    assert [attempts(1, username=f"player{number}")[0] for number in range(8)] == [True] * 6 + [False] * 2


def test_whoever_waits_is_let_in_again(database: str) -> None:
    attempts(5)
    LogInAttempt.objects.update(at=timezone.now() - timedelta(seconds=901))
    assert attempts(1) == [True]


def test_a_refused_attempt_does_not_make_the_wait_longer(database: str) -> None:
    attempts(3)
    LogInAttempt.objects.update(at=timezone.now() - timedelta(seconds=890))
    with pytest.raises(Problem) as refused:
        record_attempt(username="heather", address=HERE)
    assert refused.value.extra["retry_after"] in range(1, 11)
    assert LogInAttempt.objects.count() == 3


def test_a_right_password_ends_the_count_for_that_address(database: str) -> None:
    attempts(3)
    attempts(1, address="10.0.0.2")
    clear_attempts(username="HEATHER", address=HERE)
    assert LogInAttempt.objects.get().address == "10.0.0.2"


def test_old_attempts_are_forgotten(database: str) -> None:
    attempts(3)
    assert delete_old_attempts(now=timezone.now()) == 0
    assert delete_old_attempts(now=timezone.now() + timedelta(hours=1)) == 3


def test_many_at_once_do_not_get_past(committing_database: str) -> None:
    let_through = run_concurrently(12, lambda _: attempt("heather", HERE))
    assert sum(let_through) <= 3
