"""What is the same in development, production and tests."""

from pathlib import Path

from haggis_service.settings import logs
from haggis_service.settings.limits import LIFTED, MOST_MATCHES, MOST_OPEN_MATCHES
from haggis_service.settings.queues import IN_PROCESS, celery_settings
from haggis_service.settings.rest import *  # noqa: F403  settings are inherited by importing them all

ROOT = Path(__file__).resolve().parent.parent.parent
VAR = ROOT / "var"

DEBUG = False

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "corsheaders",
    "knox",
    "rest_framework",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "games.api.slashes.optional_slash",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
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

LOGGING = logs.LOGGING

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

X_FRAME_OPTIONS = "DENY"

# A trailing slash changes nothing in the API, and nothing is ever redirected for the want of one.
APPEND_SLASH = False

# What is asked for in one window of time, by name; nothing is limited that is not named.
HAGGIS_LIMITS = LIFTED
# How many matches one player may have at a time: waiting for players, and all that are not over.
HAGGIS_MOST_OPEN_MATCHES = MOST_OPEN_MATCHES
HAGGIS_MOST_MATCHES = MOST_MATCHES
# How many proxies of ours stand before the service: so many entries at the end of X-Forwarded-For count.
HAGGIS_TRUSTED_PROXIES = 0
# Where links in mails lead: the address of the web pages, as its visitors see it.
HAGGIS_SITE_ADDRESS = "http://localhost:8000"

# How long an AI seat waits with its turn where people play, so that how long it thinks tells nothing.
HAGGIS_AI_WAIT_SECONDS = 1.0

vars().update(celery_settings(IN_PROCESS))

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = "Haggis <haggis@localhost>"
PASSWORD_RESET_TIMEOUT = 24 * 3600

# Failed attempts to log in within the window: at an account from an address, at an account, from an address.
# The database counts them, so they hold for all processes and without a cache.
HAGGIS_LOG_IN_WINDOW = 15 * 60
HAGGIS_LOG_IN_ATTEMPTS = {"pair": 10, "account": 100, "address": 100}
