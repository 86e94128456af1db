"""Second factors: set-up, log-in, recovery codes and limits."""

import base64
import re
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
import segno
from pytest_django import Settings
from rest_framework.test import APIClient

from games.accounts.models import RecoveryCode, SecondFactor
from games.accounts.services import mails, second_factor
from games.accounts.services.second_factor import current_step, totp
from games.identity.models import Player
from tests.support.clients import (
    PASSWORD,
    anonymous_client,
    client_of,
    client_with_token,
    code,
    end_freshness,
    field_errors,
    make_bot,
    make_guest,
    make_person,
)
from tests.support.concurrency import run_concurrently

NEW_PASSWORD = "another heap of moor"
SECOND_FACTOR = "/api/v1/me/second-factor"


@pytest.fixture
def heather(database: str) -> Player:
    return make_person("heather", email="h@example.org", email_confirmed=True)


@pytest.fixture(autouse=True)
def _step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the time step, so that no test crosses its end."""
    monkeypatch.setattr(second_factor, "current_step", lambda: 58_000_000)


def code_at(key: str, offset: int = 0) -> str:
    return totp(base64.b32decode(key), second_factor.current_step() + offset)


def enrol(client: APIClient) -> tuple[str, list[str]]:
    """Set up a second factor with the code of the step before; return its key and the recovery codes."""
    key = client.post(SECOND_FACTOR).json()["secret"]
    answer = client.post(SECOND_FACTOR, {"code": code_at(key, -1)})
    assert answer.status_code == 200, answer.content
    return key, answer.json()["recovery_codes"]


def log_in(**body: str) -> Any:
    credentials = {"username": "heather", "password": PASSWORD}
    return anonymous_client().post("/api/v1/auth/token", {**credentials, **body})


@pytest.mark.parametrize(
    ("time", "expected"),
    (
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ),
)
def test_codes_are_those_of_rfc_6238(time: int, expected: str) -> None:
    assert totp(b"12345678901234567890", time // 30) == expected[-6:]


def test_the_uri_has_what_authenticator_apps_need(heather: Player) -> None:
    answer = client_of(heather).post(SECOND_FACTOR)
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    uri = urlparse(answer.json()["uri"])
    assert (uri.scheme, uri.netloc, uri.path) == ("otpauth", "totp", "/Haggis%3Aheather")
    assert parse_qs(uri.query) == {
        "secret": [answer.json()["secret"]],
        "issuer": ["Haggis"],
        "digits": ["6"],
        "period": ["30"],
    }
    assert len(base64.b32decode(answer.json()["secret"])) == 20


def test_the_qr_code_draws_the_modules_of_the_uri_within_a_margin(heather: Player) -> None:
    enrolment = client_of(heather).post(SECOND_FACTOR).json()
    size, path = enrolment["qr_code"]["size"], enrolment["qr_code"]["path"]
    drawn = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)\.5h1", path)}
    modules = segno.make_qr(enrolment["uri"], error="m").matrix
    assert drawn == {(x + 4, y + 4) for y, row in enumerate(modules) for x, dark in enumerate(row) if dark}
    assert size == len(modules) + 8


def test_a_second_factor_counts_only_after_a_code_of_it(heather: Player) -> None:
    client = client_of(heather)
    key = client.post(SECOND_FACTOR).json()["secret"]
    assert client.get(SECOND_FACTOR).json() == {
        "enabled": False,
        "confirmed_at": None,
        "recovery_codes_left": 0,
    }
    assert log_in().status_code == 201
    answer = client.post(SECOND_FACTOR, {"code": code_at(key, 5)})
    assert field_errors(answer) == {("/code", "wrong_code")}
    assert log_in().status_code == 201
    assert client.post(SECOND_FACTOR, {"code": code_at(key)}).status_code == 200
    shown = client.get(SECOND_FACTOR).json()
    assert (shown["enabled"], shown["recovery_codes_left"]) == (True, 10)
    assert code(log_in()) == "second_factor_required"


def test_setting_up_again_needs_the_first_to_be_removed(heather: Player) -> None:
    client = client_of(heather)
    key, _ = enrol(client)
    for body in ({}, {"code": code_at(key)}):
        answer = client.post(SECOND_FACTOR, body)
        assert (answer.status_code, code(answer)) == (409, "second_factor_exists")
    assert client.delete(SECOND_FACTOR).status_code == 204
    assert client.delete(SECOND_FACTOR).status_code == 204
    assert log_in().status_code == 201
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()


def test_log_in_needs_a_code_that_was_not_used_before(heather: Player) -> None:
    key, _ = enrol(client_of(heather))
    for body in ({}, {"code": "000000"}, {"code": ""}, {"code": code_at(key, -1)}):
        answer = log_in(**body)
        if body == {"code": ""}:
            assert answer.status_code == 422
            continue
        assert (answer.status_code, code(answer)) == (401, "second_factor_required")
    assert log_in(code=code_at(key)).status_code == 201
    assert code(log_in(code=code_at(key))) == "second_factor_required", "accepted once"
    spaced = f"{code_at(key, 1)[:3]} {code_at(key, 1)[3:]}"
    assert log_in(code=spaced).status_code == 201
    assert code(log_in(code=code_at(key, 2))) == "second_factor_required", "too early"


def test_a_wrong_password_is_reported_before_the_second_factor(heather: Player) -> None:
    key, _ = enrol(client_of(heather))
    assert code(log_in(password="wrong", code=code_at(key))) == "invalid_credentials"
    assert log_in(code=code_at(key)).status_code == 201, "the code was not used up"


def test_each_recovery_code_works_once_and_only_its_hash_is_stored(heather: Player) -> None:
    client = client_of(heather)
    _, recovery = enrol(client)
    assert len(set(recovery)) == 10
    stored = repr(list(RecoveryCode.objects.values()))
    assert not any(each in stored or each.replace("-", "") in stored for each in recovery)
    assert log_in(code=recovery[0].upper().replace("-", " ")).status_code == 201
    assert code(log_in(code=recovery[0])) == "second_factor_required"
    assert client.get(SECOND_FACTOR).json()["recovery_codes_left"] == 9


def test_a_concurrent_code_is_accepted_once(committing_database: str) -> None:
    heather = make_person("heather")
    key, _ = enrol(client_of(heather))
    answers = run_concurrently([partial(log_in, code=code_at(key))] * 6)
    assert [answer.status_code for answer in answers].count(201) == 1


def test_guessing_codes_is_limited(heather: Player, settings: Settings) -> None:
    settings.HAGGIS_CODE_ATTEMPTS = {"pair": 3, "account": 5, "address": 100}
    key, recovery = enrol(client_of(heather))

    def guess(address: str, guessed: str = "000000") -> str:
        body = {"username": "heather", "password": PASSWORD, "code": guessed}
        answer = anonymous_client().post("/api/v1/auth/token", body, REMOTE_ADDR=address)
        return "" if answer.status_code == 201 else code(answer)

    assert guess("10.0.0.9", code_at(key)) == ""
    assert [guess("10.0.0.1") for _ in range(4)] == ["second_factor_required"] * 3 + ["rate_limited"]
    assert [guess("10.0.0.2") for _ in range(3)] == ["second_factor_required"] * 2 + ["rate_limited"]
    assert guess("10.0.0.3", code_at(key, 1)) == "rate_limited", "from any address that was never seen"
    assert guess("10.0.0.9", recovery[0]) == "", "but not from the owner's"


def test_wrong_passwords_behind_the_same_address_do_not_refuse_a_code(
    heather: Player, settings: Settings
) -> None:
    key, _ = enrol(client_of(heather))
    assert log_in(code=code_at(key)).status_code == 201, "the address is known from now on"
    settings.HAGGIS_LOG_IN_ATTEMPTS = settings.HAGGIS_CODE_ATTEMPTS = {"pair": 3, "account": 3, "address": 3}
    for number in range(4):
        log_in(username=f"nobody-{number}", password="wrong")
    assert log_in(code=code_at(key, 1)).status_code == 201


def test_a_mailbox_alone_does_not_reset_the_password(heather: Player) -> None:
    key, _ = enrol(client_of(heather))
    body = {"token": mails.password_token(heather), "password": NEW_PASSWORD}
    for wrong in ({}, {"code": "000000"}):
        answer = anonymous_client().post("/api/v1/auth/password/confirm", {**body, **wrong})
        assert (answer.status_code, code(answer)) == (401, "second_factor_required")
    assert Player.objects.get().check_password(PASSWORD)
    answer = anonymous_client().post("/api/v1/auth/password/confirm", {**body, "code": code_at(key)})
    assert answer.status_code == 204
    assert code(log_in(password=NEW_PASSWORD)) == "second_factor_required"


def test_a_recovery_code_resets_the_password_of_a_lost_device(heather: Player) -> None:
    _, recovery = enrol(client_of(heather))
    body = {"token": mails.password_token(heather), "password": NEW_PASSWORD, "code": recovery[3]}
    assert anonymous_client().post("/api/v1/auth/password/confirm", body).status_code == 204
    assert log_in(password=NEW_PASSWORD, code=recovery[4]).status_code == 201


def test_reauthentication_needs_a_code(heather: Player) -> None:
    key, _ = enrol(client_of(heather))
    client = client_with_token(log_in(code=code_at(key)).json()["token"])
    end_freshness()
    answer = client.post("/api/v1/me/reauthenticate", {"password": PASSWORD})
    assert (answer.status_code, code(answer)) == (401, "second_factor_required")
    assert client.delete(SECOND_FACTOR).status_code == 403
    body = {"password": PASSWORD, "code": code_at(key, 1)}
    assert client.post("/api/v1/me/reauthenticate", body).status_code == 200
    assert client.delete(SECOND_FACTOR).status_code == 204


def test_guests_and_bots_have_no_second_factor(database: str) -> None:
    _, client = make_guest()
    assert code(client.post(SECOND_FACTOR)) == "not_allowed"
    _, bot = make_bot(make_person(), "robot")
    assert code(bot.post(SECOND_FACTOR)) == "insufficient_scope"


def test_a_key_is_not_shown_by_accident(heather: Player) -> None:
    key, _ = enrol(client_of(heather))
    factor = SecondFactor.objects.get()
    assert key not in repr(vars(factor))
    assert key not in repr(second_factor.start_enrolment(player=make_person()))
    assert current_step() > 58_000_000
