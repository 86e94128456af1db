"""Limits on login attempts."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from games.accounts.models import KnownDevice, LogInAttempt
from games.accounts.services.attempts import Attempt, clear_attempts, delete_old_attempts, record_attempt
from games.accounts.services.mails import password_token
from games.core.errors import Problem
from games.identity.models import Player
from tests.support.clients import PASSWORD, anonymous_client, make_person
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
    clear_attempts(Attempt("HEATHER", ADDRESS))
    assert LogInAttempt.objects.get().address == "10.0.0.2"


def test_delete_old_attempts_deletes_only_attempts_outside_the_window(database: str) -> None:
    make_attempts(3)
    assert delete_old_attempts(now=timezone.now()) == 0
    assert delete_old_attempts(now=timezone.now() + timedelta(hours=1)) == 3


def test_concurrent_attempts_cannot_bypass_the_limit(committing_database: str) -> None:
    allowed = run_concurrently([partial(make_attempt, "heather", ADDRESS)] * 12)
    assert sum(allowed) <= 3


# --- Nobody can lock somebody else out

HOME = "192.0.2.7"


def log_in(password: str = PASSWORD, address: str = HOME, username: str = "heather") -> Any:
    body = {"username": username, "password": password}
    return anonymous_client().post("/api/v1/auth/token", body, REMOTE_ADDR=address)


@pytest.fixture
def heather(database: str, settings: Settings) -> Player:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 10, "account": 100, "address": 100}
    player = make_person("heather")
    assert log_in().status_code == 201
    return player


def attack_from_many_addresses() -> list[int]:
    """Send a hundred wrong passwords from ten addresses, and return the statuses of further attempts."""
    for number in range(100):
        record_attempt(username="heather", address=f"10.0.0.{number % 10}")
    return [log_in("wrong", f"10.0.1.{number}").status_code for number in range(3)]


def test_wrong_passwords_of_others_do_not_lock_the_owner_out(heather: Player) -> None:
    assert attack_from_many_addresses() == [429] * 3
    assert log_in().status_code == 201
    assert log_in(address="10.0.2.1").status_code == 429, "an address that has not logged in before waits"


def test_wrong_passwords_from_the_owners_own_address_do_not_lock_the_owner_out(heather: Player) -> None:
    answers = [log_in("wrong") for _ in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    stored = LogInAttempt.objects.count()
    assert log_in("wrong").status_code == 429
    assert LogInAttempt.objects.count() == stored, "refused attempts are not stored"
    assert log_in().status_code == 201


def test_attempts_on_other_accounts_from_a_shared_address_do_not_lock_the_owner_out(heather: Player) -> None:
    for number in range(100):
        record_attempt(username=f"player-{number}", address=HOME)
    assert log_in("wrong", username="somebody").status_code == 429
    assert log_in().status_code == 201


def test_an_owner_under_attack_gets_in_from_a_new_address_by_resetting_the_password(heather: Player) -> None:
    assert attack_from_many_addresses() == [429] * 3
    body = {"token": password_token(Player.objects.get()), "password": "another heap of moor"}
    new = "198.51.100.9"
    answer = anonymous_client().post("/api/v1/auth/password/confirm", body, REMOTE_ADDR=new)
    assert answer.status_code == 204
    assert log_in("another heap of moor", new).status_code == 201


def test_a_known_address_of_one_account_is_not_known_for_another(heather: Player) -> None:
    make_person("bracken")
    for _ in range(10):
        assert log_in("wrong", username="bracken").status_code == 401
    assert log_in(username="bracken").status_code == 429


@pytest.mark.parametrize("username", ("nobody-here", "guest-abcdefgh", "banned", "heather"))
def test_a_failure_costs_the_same_for_known_and_unknown_usernames(
    heather: Player, monkeypatch: pytest.MonkeyPatch, username: str
) -> None:
    Player.objects.create(username="guest-abcdefgh", kind="guest", password="!unusable")
    make_person("banned", is_active=False)
    hashes: list[int] = []
    encode = MD5PasswordHasher.encode

    def count_and_encode(hasher: MD5PasswordHasher, *arguments: Any) -> str:
        hashes.append(1)
        return encode(hasher, *arguments)

    monkeypatch.setattr(MD5PasswordHasher, "encode", count_and_encode)
    with CaptureQueriesContext(connection) as queries:
        assert log_in("wrong", "10.0.0.1", username).status_code == 401
    assert (len(hashes), len(queries)) == (1, 4)


def test_few_devices_are_remembered_and_addresses_only_as_hashes(
    heather: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.accounts.services.attempts.MAX_DEVICES", 3)
    for number in range(6):
        assert log_in(address=f"10.0.0.{number}").status_code == 201
    assert KnownDevice.objects.count() == 3
    assert "10.0.0" not in repr(list(KnownDevice.objects.values()))
    attack_from_many_addresses()
    assert log_in(address="10.0.0.5").status_code == 201
