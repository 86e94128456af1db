"""Validation of the production settings: each refusal says what is unsafe and what to do."""

import ipaddress
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

from haggis_service.settings.limits import DEFAULT_LIMITS
from haggis_service.settings.secret_files import SECRETS, secret_file_problems

SECRET_KEY_LENGTH: Final = 50
SECRET_KEY_VARIETY: Final = 10
METRICS_TOKEN_LENGTH: Final = 32
MAX_TRUSTED_PROXIES: Final = 10

# Numeric variables and their minimum values. HAGGIS_MOST_... and HAGGIS_LIMIT_... need not be listed: all of
# them must be above 0.
MINIMUM_VALUES: Final = {
    "HAGGIS_AI_MILLISECONDS": 1,
    "HAGGIS_ENGINE_MEGABYTES": 1,
    "HAGGIS_HSTS_SECONDS": 1,
    "HAGGIS_IDLE_MATCH_DAYS": 1,
    "HAGGIS_OUTAGE_SECONDS": 1,
    "HAGGIS_PAUSE_SECONDS": 0,
    "HAGGIS_STATEMENT_SECONDS": 1,
    "HAGGIS_STREAM_THREADS": 1,
    "HAGGIS_TURN_MAIL_SECONDS": 0,
    "HAGGIS_TURN_PUSH_SECONDS": 0,
    "HAGGIS_VACATION_DAYS": 0,
    "HAGGIS_GUEST_BAN_HOURS": 0,
}
_ADVICE: Final = {
    "HAGGIS_HSTS_SECONDS": "Without it, a browser can be led back to plain HTTP.",
    "HAGGIS_STATEMENT_SECONDS": "Without it, one slow query holds a connection forever.",
}
_RATE: Final = re.compile(r"[1-9][0-9]*/[1-9][0-9]*")
_RATE_NAME: Final = re.compile(r"HAGGIS_LIMIT_[A-Z_]+")
_HOST: Final = re.compile(r"\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]")
_LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_ADMIN_PATH: Final = re.compile(r"([\w-]+/)+")
_PUBLISHED_PATHS: Final = ("api/", "static/")
# Networks that the internet does not reach may read the metrics as a whole; others only if they are small.
_PRIVATE_NETWORKS: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
_WIDEST_PUBLIC_PREFIX: Final = {4: 24, 6: 56}
# 32 bytes in base64url, as `manage.py push_key` prints them.
_PUSH_KEY: Final = re.compile(r"[A-Za-z0-9_-]{43}")
# What every push service accepts.
_PUSH_CONTACT: Final = re.compile(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+")


def refuse_unsafe_settings(env: Env) -> None:
    """Raise `ImproperlyConfigured` with a list of all missing or unsafe settings."""
    problems = [problem for check in CHECKS for problem in check(env)]
    if problems:
        lines = "\n".join(f"  - {problem}" for problem in problems)
        message = f"The service does not start in production with these settings:\n{lines}"
        raise ImproperlyConfigured(message)


def _secret_files(env: Env) -> Iterator[str]:
    yield from secret_file_problems(env)
    for name in SECRETS:
        if env.ENVIRON.get(name, "").startswith("$"):
            yield f"{name} begins with '$', which would be read as a reference to a variable. Choose another."


def _secret_key(env: Env) -> Iterator[str]:
    key = env.ENVIRON.get("HAGGIS_SECRET_KEY", "")
    if not key:
        yield (
            "HAGGIS_SECRET_KEY is not set. It signs sessions: give it a long random value and keep it secret."
        )
    elif (
        len(key) < SECRET_KEY_LENGTH
        or len(set(key)) < SECRET_KEY_VARIETY
        or key.startswith("django-insecure-")
    ):
        yield (
            f"HAGGIS_SECRET_KEY is too easy to guess. It needs {SECRET_KEY_LENGTH} random characters or more."
        )


def _allowed_hosts(env: Env) -> Iterator[str]:
    hosts = env.list("HAGGIS_ALLOWED_HOSTS", default=[])
    if not hosts:
        yield "HAGGIS_ALLOWED_HOSTS is not set. Set it to the host names of the service, separated by commas."
    for host in hosts:
        if "*" in host or host == ".":
            yield (
                f"HAGGIS_ALLOWED_HOSTS contains '{host}', which lets any client choose the host of links in"
                " mails. Name each host."
            )
        elif not _HOST.fullmatch(host):
            yield f"HAGGIS_ALLOWED_HOSTS contains '{host}', not a host name. Leave out https:// and the port."
        elif host.startswith(".") and host.count(".") == 1:
            yield f"HAGGIS_ALLOWED_HOSTS contains '{host}', a whole top-level domain. Name each host."


def _database(env: Env) -> Iterator[str]:
    if not env.str("DATABASE_URL", default=""):
        yield "DATABASE_URL is not set. Set it to the database, as in postgres://user:password@host/name."


def _redis(env: Env) -> Iterator[str]:
    if not env.str("REDIS_URL", default=""):
        yield "REDIS_URL is not set. Set it to the Redis server, as in redis://:password@host:6379/0."
    if env.bool("HAGGIS_REDIS_WITHOUT_PASSWORD", default=False):
        return
    for name in ("REDIS_URL", "CELERY_BROKER_URL", "HAGGIS_NEWS_URL"):
        address = env.str(name, default="")
        if address.startswith(("redis:", "rediss:")) and not urlsplit(address).password:
            yield (
                f"{name} has no password. Anybody who reaches Redis could read and write the queues: set"
                " `requirepass` and REDIS_PASSWORD_FILE, or HAGGIS_REDIS_WITHOUT_PASSWORD=true if nobody else"
                " can reach it."
            )


def _debug(env: Env) -> Iterator[str]:
    if env.bool("DEBUG", default=False):
        yield "DEBUG is set. Error pages would show internals of the service to anybody."


def _metrics(env: Env) -> Iterator[str]:
    token = env.str("HAGGIS_METRICS_TOKEN", default="")
    if token and len(token) < METRICS_TOKEN_LENGTH:
        yield (
            f"HAGGIS_METRICS_TOKEN is too easy to guess. It needs {METRICS_TOKEN_LENGTH} characters or more."
        )
    for text in env.list("HAGGIS_METRICS_ADDRESSES", default=[]):
        try:
            network = ipaddress.ip_network(text)
        except ValueError as error:
            yield f"HAGGIS_METRICS_ADDRESSES is invalid: {error}."
            continue
        if not _may_read_metrics(network):
            yield (
                f"HAGGIS_METRICS_ADDRESSES contains {network}, which opens the metrics to the internet. Name"
                " the addresses of your monitoring, or use HAGGIS_METRICS_TOKEN."
            )


def _may_read_metrics(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    private = any(
        network.version == each.version and network.subnet_of(each)  # type: ignore[arg-type]
        for each in _PRIVATE_NETWORKS
    )
    return private or network.prefixlen >= _WIDEST_PUBLIC_PREFIX[network.version]


def _proxies(env: Env) -> Iterator[str]:
    text = env.str("HAGGIS_TRUSTED_PROXIES", default="0")
    if not text.isdigit() or int(text) > MAX_TRUSTED_PROXIES:
        yield (
            "HAGGIS_TRUSTED_PROXIES must be the number of your own proxies, from 0 to"
            f" {MAX_TRUSTED_PROXIES}: with a larger number, a visitor can claim any address."
        )


def _rates(env: Env) -> Iterator[str]:
    names = {f"HAGGIS_LIMIT_{name.upper()}" for name in DEFAULT_LIMITS}
    names |= {name for name in env.ENVIRON if _RATE_NAME.fullmatch(name)}
    for name in sorted(names):
        text = env.str(name, default="1/1")
        if not _RATE.fullmatch(text):
            yield f"{name} is '{text}'. Set it to requests/seconds, both above 0, as in 600/60."


def _numbers(env: Env) -> Iterator[str]:
    minimums = {name: 1 for name in env.ENVIRON if name.startswith("HAGGIS_MOST_")} | MINIMUM_VALUES
    for name, minimum in sorted(minimums.items()):
        text = env.ENVIRON.get(name, str(minimum))
        if not re.fullmatch(r"-?\d+", text) or int(text) < minimum:
            advice = _ADVICE.get(name, "Leave it out for the default.")
            yield f"{name} is '{text}'. It must be a whole number, at least {minimum}. {advice}"


def _site_address(env: Env) -> Iterator[str]:
    address = env.str("HAGGIS_SITE_ADDRESS", default="")
    if address and not _is_safe_origin(address):
        yield (
            f"HAGGIS_SITE_ADDRESS is '{address}'. Links in mails lead there and contain secrets: it must be"
            " https:// and a host, without a path. Plain http:// is accepted for localhost and 127.0.0.1."
        )
    for origin in env.list("HAGGIS_TRUSTED_ORIGINS", default=[]):
        if not _is_safe_origin(origin):
            yield (
                f"HAGGIS_TRUSTED_ORIGINS contains '{origin}'. Name each origin with https:// and its host,"
                " without a path or '*'."
            )


def _is_safe_origin(address: str) -> bool:
    try:
        parts: SplitResult = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    bare = parts.path in {"", "/"} and not parts.query and not parts.fragment and parts.username is None
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK_HOSTS)
    return bool(bare and safe and host and "*" not in host)


def _admin(env: Env) -> Iterator[str]:
    path = env.str("HAGGIS_ADMIN_PATH", default="admin/")
    if not _ADMIN_PATH.fullmatch(path) or path.startswith(_PUBLISHED_PATHS):
        yield (
            f"HAGGIS_ADMIN_PATH is '{path}'. It must be a path of its own, without a leading slash and with"
            " one at the end, as in admin/."
        )
    allowed = env.list("HAGGIS_ALLOWED_HOSTS", default=[])
    for host in env.list("HAGGIS_ADMIN_HOSTS", default=[]):
        if host not in allowed and f".{host.partition('.')[2]}" not in allowed:
            yield f"HAGGIS_ADMIN_HOSTS contains '{host}', which HAGGIS_ALLOWED_HOSTS lacks. Add it there too."
    if not env.bool("HAGGIS_ADMIN_SECOND_FACTOR", default=True):
        yield "HAGGIS_ADMIN_SECOND_FACTOR is false. A stolen password would be enough to enter the admin."


def _email(env: Env) -> Iterator[str]:
    parts = urlsplit(env.str("EMAIL_URL", default=""))
    if parts.scheme in {"consolemail", "filemail"}:
        yield f"EMAIL_URL is {parts.scheme}://, which stores the secrets in mails. Use smtp+tls:// or dummymail://."
    elif parts.scheme == "smtp" and parts.password and parts.hostname not in _LOOPBACK_HOSTS:
        yield "EMAIL_URL sends a password without TLS. Use smtp+tls:// or smtp+ssl://."


def _webhooks(env: Env) -> Iterator[str]:
    if env.bool("HAGGIS_WEBHOOKS_LOCAL", default=False):
        yield "HAGGIS_WEBHOOKS_LOCAL is set. Any player could send requests to this machine itself."
    for text in env.list("HAGGIS_WEBHOOK_PORTS", default=[]):
        if not (text.isdigit() and 0 < int(text) < 65536):  # noqa: PLR2004 -- the ports that exist
            yield f"HAGGIS_WEBHOOK_PORTS contains '{text}'. Name ports from 1 to 65535, separated by commas."


def _push(env: Env) -> Iterator[str]:
    key = env.str("HAGGIS_PUSH_KEY", default="")
    if key and not _PUSH_KEY.fullmatch(key):
        yield "HAGGIS_PUSH_KEY is not a valid key. `manage.py push_key` creates one."
    elif key and find_spec("pywebpush") is None:
        yield "HAGGIS_PUSH_KEY is set, but pywebpush is not installed. Install requirements-push.lock."
    contact = env.str("HAGGIS_PUSH_CONTACT", default="")
    if contact and not _PUSH_CONTACT.fullmatch(contact):
        yield "HAGGIS_PUSH_CONTACT is invalid. Use mailto:somebody@example.com or https://example.com."


CHECKS = (
    _secret_files,
    _secret_key,
    _allowed_hosts,
    _database,
    _redis,
    _debug,
    _metrics,
    _proxies,
    _rates,
    _numbers,
    _site_address,
    _admin,
    _email,
    _webhooks,
    _push,
)
