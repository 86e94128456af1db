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
    made = Env()
    made.ENVIRON = SAFE | settings
    return made


def refusal(**settings: str) -> str:
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_unsafe_settings(env(**settings))
    return str(refused.value)


def test_settings_that_are_all_safe_are_accepted() -> None:
    refuse_unsafe_settings(env())


@pytest.mark.parametrize("name", SAFE)
def test_what_is_missing_is_named(name: str) -> None:
    assert f"{name} is not set" in refusal(**{name: ""})


@pytest.mark.parametrize("key", ("short", "a" * 60, "abc" * 20))
def test_a_secret_key_that_can_be_guessed_is_refused_and_not_repeated(key: str) -> None:
    message = refusal(HAGGIS_SECRET_KEY=key)
    assert "too easy to guess" in message
    assert key not in message


def test_answering_for_every_host_is_refused() -> None:
    assert "HAGGIS_ALLOWED_HOSTS is '*'" in refusal(HAGGIS_ALLOWED_HOSTS="haggis.example,*")


def test_showing_the_inside_of_the_service_is_refused() -> None:
    assert "DEBUG is set" in refusal(DEBUG="true")


@pytest.mark.parametrize(
    ("name", "value"),
    (
        ("HAGGIS_METRICS_TOKEN", "short"),
        ("HAGGIS_METRICS_ADDRESSES", "10.0.0.0/8,somewhere"),
        ("HAGGIS_TRUSTED_PROXIES", "one"),
        ("HAGGIS_LIMIT_PLAYER", "many"),
    ),
)
def test_what_cannot_be_read_or_guessed_too_easily_is_refused(name: str, value: str) -> None:
    message = refusal(**{name: value})
    assert name[:13] in message
    assert message.count("\n  - ") == 1


def test_everything_wrong_is_said_at_once() -> None:
    message = refusal(HAGGIS_SECRET_KEY="", DATABASE_URL="", DEBUG="1")
    assert message.count("\n  - ") == 3
