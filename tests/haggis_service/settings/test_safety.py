import pytest
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from haggis_service.settings.safety import refuse_unsafe_settings

SAFE = {
    "HAGGIS_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz",
    "HAGGIS_ALLOWED_HOSTS": "haggis.example",
    "DATABASE_URL": "postgres://db/haggis",
    "REDIS_URL": "redis://cache/0",
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


@pytest.mark.parametrize("key", ("short", "a" * 60, "abc" * 20))
def test_weak_secret_key_is_rejected_and_not_printed(key: str) -> None:
    message = error_message(HAGGIS_SECRET_KEY=key)
    assert "too easy to guess" in message
    assert key not in message


def test_wildcard_host_is_rejected() -> None:
    assert "HAGGIS_ALLOWED_HOSTS is '*'" in error_message(HAGGIS_ALLOWED_HOSTS="haggis.example,*")


def test_debug_is_rejected() -> None:
    assert "DEBUG is set" in error_message(DEBUG="true")


@pytest.mark.parametrize(
    ("name", "value"),
    (
        ("HAGGIS_METRICS_TOKEN", "short"),
        ("HAGGIS_METRICS_ADDRESSES", "10.0.0.0/8,somewhere"),
        ("HAGGIS_TRUSTED_PROXIES", "one"),
        ("HAGGIS_LIMIT_PLAYER", "many"),
    ),
)
def test_invalid_or_weak_value_is_rejected(name: str, value: str) -> None:
    message = error_message(**{name: value})
    assert name[:13] in message
    assert message.count("\n  - ") == 1


def test_all_problems_are_listed_together() -> None:
    message = error_message(HAGGIS_SECRET_KEY="", DATABASE_URL="", DEBUG="1")
    assert message.count("\n  - ") == 3
