import re
from pathlib import Path
from typing import Final

import pytest
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from haggis_service.settings.base import ROOT
from haggis_service.settings.safety import MINIMUM_VALUES, refuse_unsafe_settings

SAFE: Final = {
    "HAGGIS_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz",
    "HAGGIS_ALLOWED_HOSTS": "haggis.example",
    "DATABASE_URL": "postgres://db/haggis",
    "REDIS_URL": "redis://:password@cache/0",
}


def env(**settings: str) -> Env:
    environment = Env()
    environment.ENVIRON = SAFE | settings
    return environment


def error_message(**settings: str) -> str:
    with pytest.raises(ImproperlyConfigured) as error:
        refuse_unsafe_settings(env(**settings))
    return str(error.value)


def test_safe_settings_are_accepted() -> None:
    refuse_unsafe_settings(env())


@pytest.mark.parametrize("name", SAFE)
def test_missing_setting_is_named(name: str) -> None:
    assert f"{name} is not set" in error_message(**{name: ""})


@pytest.mark.parametrize(
    "key", ("short", "a" * 60, "abc" * 20, "django-insecure-" + SAFE["HAGGIS_SECRET_KEY"])
)
def test_weak_secret_key_is_rejected_and_not_printed(key: str) -> None:
    message = error_message(HAGGIS_SECRET_KEY=key)
    assert "too easy to guess" in message
    assert key not in message


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    (
        ("HAGGIS_ALLOWED_HOSTS", "haggis.example,*", "Name each host"),
        ("HAGGIS_ALLOWED_HOSTS", ".", "Name each host"),
        ("HAGGIS_ALLOWED_HOSTS", ".example", "Name each host"),
        ("HAGGIS_ALLOWED_HOSTS", "https://haggis.example", "Leave out https://"),
        ("DEBUG", "true", "internals"),
        ("REDIS_URL", "redis://cache/0", "REDIS_PASSWORD_FILE"),
        ("CELERY_BROKER_URL", "rediss://user@cache/1", "requirepass"),
        ("HAGGIS_NEWS_URL", "redis://cache/2", "requirepass"),
        ("HAGGIS_METRICS_TOKEN", "short", "32 characters"),
        ("HAGGIS_METRICS_ADDRESSES", "10.0.0.0/8,somewhere", "invalid"),
        ("HAGGIS_METRICS_ADDRESSES", "0.0.0.0/0", "HAGGIS_METRICS_TOKEN"),
        ("HAGGIS_METRICS_ADDRESSES", "::/0", "HAGGIS_METRICS_TOKEN"),
        ("HAGGIS_METRICS_ADDRESSES", "0.0.0.0/1,127.0.0.1", "HAGGIS_METRICS_TOKEN"),
        ("HAGGIS_METRICS_ADDRESSES", "8.0.0.0/8", "HAGGIS_METRICS_TOKEN"),
        ("HAGGIS_TRUSTED_PROXIES", "one", "claim any address"),
        ("HAGGIS_TRUSTED_PROXIES", "-1", "claim any address"),
        ("HAGGIS_TRUSTED_PROXIES", "99", "claim any address"),
        ("HAGGIS_LIMIT_PLAYER", "many", "600/60"),
        ("HAGGIS_LIMIT_PLAYER", "0/60", "above 0"),
        ("HAGGIS_LIMIT_ADDRESS", "300/0", "above 0"),
        ("HAGGIS_LIMIT_MAILS", "-1/3600", "above 0"),
        ("HAGGIS_LIMIT_SOMETHING_NEW", "0/60", "above 0"),
        ("HAGGIS_MOST_MATCHES", "0", "at least 1"),
        ("HAGGIS_MOST_STREAMS_EACH", "-1", "at least 1"),
        ("HAGGIS_MOST_SOMETHING_NEW", "none", "at least 1"),
        ("HAGGIS_STATEMENT_SECONDS", "0", "slow query"),
        ("HAGGIS_HSTS_SECONDS", "0", "plain HTTP"),
        ("HAGGIS_HSTS_SECONDS", "-5", "plain HTTP"),
        ("HAGGIS_AI_MILLISECONDS", "", "at least 1"),
        ("HAGGIS_VACATION_DAYS", "-1", "at least 0"),
        ("HAGGIS_IDLE_MATCH_DAYS", "0", "at least 1"),
        ("HAGGIS_SITE_ADDRESS", "http://haggis.example", "https://"),
        ("HAGGIS_SITE_ADDRESS", "haggis.example", "https://"),
        ("HAGGIS_SITE_ADDRESS", "https://haggis.example/somewhere", "without a path"),
        ("HAGGIS_SITE_ADDRESS", "https://haggis.example:many", "https://"),
        ("HAGGIS_SITE_ADDRESS", "https://localhost@evil.example", "https://"),
        ("HAGGIS_TRUSTED_ORIGINS", "https://*.example", "without a path or '*'"),
        ("HAGGIS_TRUSTED_ORIGINS", "http://haggis.example", "https://"),
        ("HAGGIS_ADMIN_PATH", "", "path of its own"),
        ("HAGGIS_ADMIN_PATH", "/admin/", "without a leading slash"),
        ("HAGGIS_ADMIN_PATH", "admin", "one at the end"),
        ("HAGGIS_ADMIN_PATH", "api/v1/", "path of its own"),
        ("HAGGIS_ADMIN_HOSTS", "*", "HAGGIS_ALLOWED_HOSTS"),
        ("EMAIL_URL", "consolemail://", "smtp+tls://"),
        ("EMAIL_URL", "smtp://user:password@mail.example:25", "smtp+tls://"),
        ("HAGGIS_WEBHOOK_PORTS", "443,0", "1 to 65535"),
        ("HAGGIS_WEBHOOKS_LOCAL", "true", "this machine"),
        ("HAGGIS_PUSH_KEY", "short", "push_key"),
        ("HAGGIS_PUSH_CONTACT", "somebody", "mailto:"),
    ),
)
def test_unsafe_value_is_refused_with_advice(name: str, value: str, advice: str) -> None:
    message = error_message(**{name: value})
    assert f"  - {name}" in message
    assert advice in message
    assert message.count("\n  - ") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    (
        ("HAGGIS_ALLOWED_HOSTS", ".haggis.example,localhost,127.0.0.1,[::1]"),
        ("HAGGIS_METRICS_ADDRESSES", "10.0.0.0/8,127.0.0.1,192.0.2.7,2001:db8::1,fd00::/8"),
        ("HAGGIS_TRUSTED_PROXIES", "2"),
        ("HAGGIS_LIMIT_PLAYER", "1200/60"),
        ("HAGGIS_SITE_ADDRESS", "https://haggis.example:8443"),
        ("HAGGIS_SITE_ADDRESS", "http://127.0.0.1:8080"),
        ("HAGGIS_TRUSTED_ORIGINS", "https://haggis.example"),
        ("HAGGIS_ADMIN_PATH", "operators/desk/"),
        ("HAGGIS_ADMIN_HOSTS", "haggis.example"),
        ("HAGGIS_VACATION_DAYS", "0"),
        ("EMAIL_URL", "smtp+tls://user:password@mail.example:587"),
        ("EMAIL_URL", "smtp://user:password@127.0.0.1:25"),
        ("REDIS_URL", "unix:///run/redis.sock"),
    ),
)
def test_safe_value_is_accepted(name: str, value: str) -> None:
    refuse_unsafe_settings(env(**{name: value}))


def test_redis_without_a_password_is_accepted_if_allowed_explicitly() -> None:
    refuse_unsafe_settings(env(REDIS_URL="redis://cache/0", HAGGIS_REDIS_WITHOUT_PASSWORD="true"))


def test_all_problems_are_listed_together() -> None:
    message = error_message(
        HAGGIS_SECRET_KEY="", DATABASE_URL="", DEBUG="1", HAGGIS_LIMIT_MAILS="0/1", HAGGIS_MOST_MATCHES="0"
    )
    assert message.count("\n  - ") == 5


def test_every_number_that_production_reads_has_a_least_value() -> None:
    source = (ROOT / "haggis_service" / "settings" / "production.py").read_text()
    numbers = set(re.findall(r'env\.(?:int|float)\("([A-Z_]+)"', source))
    assert "HAGGIS_HSTS_SECONDS" in numbers
    checked = set(MINIMUM_VALUES) | {"HAGGIS_TRUSTED_PROXIES"}
    assert {name for name in numbers - checked if not name.startswith("HAGGIS_MOST_")} == set()


def test_unreadable_secret_file_is_listed_with_the_other_problems(tmp_path: Path) -> None:
    message = error_message(EMAIL_URL_FILE=str(tmp_path / "missing"), DEBUG="1")
    assert "EMAIL_URL_FILE cannot be read: No such file or directory." in message
    assert message.count("\n  - ") == 2


def test_secret_that_would_be_read_as_a_reference_is_refused() -> None:
    assert "begins with '$'" in error_message(HAGGIS_METRICS_TOKEN="$" + "x" * 40)
