"""What is the same in development, production and tests."""

from pathlib import Path

from haggis_service.settings import admin, logs, security, web
from haggis_service.settings.clocks import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.limits import MAX_MATCHES_IN_DEVELOPMENT, UNLIMITED
from haggis_service.settings.queues import IN_PROCESS, celery_settings
from haggis_service.settings.rest import *  # noqa: F403  settings are inherited by importing them all

ROOT = Path(__file__).resolve().parent.parent.parent
VAR = ROOT / "var"

DEBUG = False

INSTALLED_APPS = [
    *admin.APPS,
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "corsheaders",
    "csp",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
    "games",
]

MIDDLEWARE = [
    "haggis_service.telemetry.requests.log_requests",
    "haggis_service.telemetry.probes.probes",
    "django.middleware.security.SecurityMiddleware",
    "haggis_service.static_files.static_files",
    "haggis_service.page_middleware.ContentSecurityPolicyMiddleware",
    "games.api.slashes.optional_slash",
    "haggis_service.page_middleware.ApiCorsMiddleware",
    "haggis_service.page_middleware.PageSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "haggis_service.page_middleware.PageAuthenticationMiddleware",
    "haggis_service.page_middleware.PageMessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "haggis_service.urls"
WSGI_APPLICATION = "haggis_service.wsgi.application"
ASGI_APPLICATION = "haggis_service.asgi.application"

AUTH_USER_MODEL = "games.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{validator}"}
    for validator in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LOGGING = logs.logging_settings("text", "WARNING")

TEMPLATES = web.TEMPLATES

# Static files are taken from where they lie in the code, unless they have been collected.
STATIC_URL = "/static/"
STATICFILES_DIRS = web.STATICFILES_DIRS
WHITENOISE_USE_FINDERS = True
WHITENOISE_ALLOW_ALL_ORIGINS = False

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

# The operators' admin: below which path, and on which hosts alone, if on some alone.
UNFOLD = admin.UNFOLD
HAGGIS_ADMIN_PATH = "admin/"
HAGGIS_ADMIN_HOSTS: list[str] = []

X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = security.CONTENT_SECURITY_POLICY

# A trailing slash changes nothing in the API, and nothing is ever redirected for the want of one.
APPEND_SLASH = False

# What is asked for in one window of time, by name; nothing is limited that is not named.
HAGGIS_LIMITS = UNLIMITED
# How many matches one player may have at a time: waiting for players, and all that are not over.
HAGGIS_MOST_OPEN_MATCHES = MAX_MATCHES_IN_DEVELOPMENT
HAGGIS_MOST_MATCHES = MAX_MATCHES_IN_DEVELOPMENT
# How many streams and long polls may be open in one process, and how many of them for one player, or for one
# address where no token is shown; None is no limit.
HAGGIS_MOST_STREAMS = 10_000
HAGGIS_MOST_STREAMS_EACH: int | None = None
# Threads that read for all of them, each with one connection to the database.
HAGGIS_STREAM_THREADS = 4
# The Redis that tells other processes which matches have moved on; None where there is only this one.
HAGGIS_NEWS_URL: str | None = None
# How many proxies of ours stand before the service: so many entries at the end of X-Forwarded-For count.
HAGGIS_TRUSTED_PROXIES = 0
# Who may read /metrics: whoever shows this token, and these networks.
HAGGIS_METRICS_TOKEN = ""
HAGGIS_METRICS_ADDRESSES: list[str] = []
# Where links in mails lead: the address of the web pages, as its visitors see it.
HAGGIS_SITE_ADDRESS = "http://localhost:8000"

# Where webhooks may be sent: to these ports of the public internet; and while the second is set, which is for
# desks alone, to any port of this machine too, by http.
HAGGIS_WEBHOOK_PORTS = [443, 8443]
HAGGIS_WEBHOOKS_LOCAL = False

# How long somebody may take to notice that it is their turn before a mail says so.
HAGGIS_TURN_MAIL_SECONDS = 300

# What push messages are signed with (`manage.py push_key`); without it none are sent. Whom push services may
# turn to about them, as mailto: or https:. And how long somebody may take to notice a turn before it is told.
HAGGIS_PUSH_KEY = ""
HAGGIS_PUSH_CONTACT = "mailto:haggis@localhost"
HAGGIS_TURN_PUSH_SECONDS = 30

# How long an AI seat waits with its turn where people play, so that how long it thinks tells nothing.
HAGGIS_AI_WAIT_SECONDS = 1.0

# The CPU time that one decision of an AI that searches may take.
HAGGIS_AI_MILLISECONDS = 400

# What the engine may keep of hands that it has seen, in each process.
HAGGIS_ENGINE_MEGABYTES = 104

vars().update(celery_settings(IN_PROCESS))

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = "Haggis <haggis@localhost>"
PASSWORD_RESET_TIMEOUT = 24 * 3600

# Failed attempts to log in within the window: at an account from an address, at an account, from an address.
# The database counts them, so they hold for all processes and without a cache.
HAGGIS_LOG_IN_WINDOW = 15 * 60
HAGGIS_LOG_IN_ATTEMPTS = {"pair": 10, "account": 100, "address": 100}
