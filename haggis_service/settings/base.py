"""Settings common to development, production and tests."""

from pathlib import Path

from haggis_service.settings import admin, logs, security, web
from haggis_service.settings.clocks import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.limits import (
    MAIL_LIMITS,
    MAX_MATCHES_IN_DEVELOPMENT,
    MAX_ROUNDS_A_DAY_IN_DEVELOPMENT,
    UNLIMITED,
)
from haggis_service.settings.oauth import *  # noqa: F403  settings are inherited by importing them all
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
    "oauth2_provider",
    "rest_framework",
    "games",
]

MIDDLEWARE = [
    "haggis_service.telemetry.requests.log_requests",
    "games.api.middleware.ApiMiddleware",
    # For pages and the admin only: API requests do not get here.
    "haggis_service.telemetry.probes.probes",
    "django.middleware.security.SecurityMiddleware",
    "haggis_service.static_files.static_files",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
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

# Static files are served from the source folders unless they have been collected.
STATIC_URL = "/static/"
STATICFILES_DIRS = web.STATICFILES_DIRS
WHITENOISE_USE_FINDERS = True
# The documentation: where `make docs` builds it, or inside of the installed package.
HAGGIS_DOCS_ROOT = next(
    (folder for folder in (ROOT / "build" / "docs", ROOT / "haggis_service" / "docs") if folder.is_dir()),
    ROOT / "build" / "docs",
)
WHITENOISE_ALLOW_ALL_ORIGINS = False

LANGUAGE_CODE = "en"
# Each language with its own name for itself, in the order in which pages offer them. Each but English has
# catalogues in games/locale.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("es", "Español")]
# Set by the language switch of the pages.
LANGUAGE_COOKIE_NAME = "haggis_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = "UTC"
USE_TZ = True

# The path of the admin site, and the hosts that serve it; an empty list means every host.
UNFOLD = admin.UNFOLD
HAGGIS_ADMIN_PATH = "admin/"
HAGGIS_ADMIN_HOSTS: list[str] = []

X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = security.CONTENT_SECURITY_POLICY

# A trailing slash is optional in the API, and never causes a redirect.
APPEND_SLASH = False

# Rate limits by name; a name that is missing is not limited.
HAGGIS_LIMITS = UNLIMITED
# How many matches one player may have at a time: waiting for players, and unfinished altogether.
HAGGIS_MOST_OPEN_MATCHES = MAX_MATCHES_IN_DEVELOPMENT
HAGGIS_MOST_MATCHES = MAX_MATCHES_IN_DEVELOPMENT
# How many unfinished matches in which only AIs play one player may have, and a guest.
HAGGIS_MOST_AI_MATCHES = MAX_MATCHES_IN_DEVELOPMENT
HAGGIS_MOST_AI_MATCHES_GUEST = MAX_MATCHES_IN_DEVELOPMENT
# How many rounds the matches may have that one player creates in a day: they are stored for good.
HAGGIS_MOST_ROUNDS_A_DAY = MAX_ROUNDS_A_DAY_IN_DEVELOPMENT
# How many streams and long polls may be open in one process, and how many per player, or per address for
# requests without a token. None means unlimited.
HAGGIS_MOST_STREAMS = 10_000
HAGGIS_MOST_STREAMS_EACH: int | None = None
# Threads that read from the database for all streams, each with its own connection.
HAGGIS_STREAM_THREADS = 4
# The Redis server through which processes publish changed matches; None if there is only one process.
HAGGIS_NEWS_URL: str | None = None
# How many trusted proxies are in front of the service: that many entries at the end of X-Forwarded-For count.
HAGGIS_TRUSTED_PROXIES = 0
# Who may read /metrics: requests with this bearer token, or from these networks.
HAGGIS_METRICS_TOKEN = ""
HAGGIS_METRICS_ADDRESSES: list[str] = []
# The public URL of the web pages, for links in mails.
HAGGIS_SITE_ADDRESS = "http://localhost:8000"

# Webhooks are sent to these ports of public addresses. HAGGIS_WEBHOOKS_LOCAL, which is for development only,
# allows plain HTTP to any port of this machine as well.
HAGGIS_WEBHOOK_PORTS = [443, 8443]
HAGGIS_WEBHOOKS_LOCAL = False

# How long after the start of a turn its player is notified by mail.
HAGGIS_TURN_MAIL_SECONDS = 300

# The key that signs push messages (`manage.py push_key`); without it none are sent. The contact for push
# services, a mailto: or https: URL. And how long after the start of a turn its player is notified by a push
# message.
HAGGIS_PUSH_KEY = ""
HAGGIS_PUSH_CONTACT = "mailto:haggis@localhost"
HAGGIS_TURN_PUSH_SECONDS = 30

# How long an AI seat delays its turn in matches with people, so that its thinking time reveals nothing.
HAGGIS_AI_WAIT_SECONDS = 1.0

# The CPU time limit of one decision of a searching AI.
HAGGIS_AI_MILLISECONDS = 400

# The size of the engine's hand cache in each process.
HAGGIS_ENGINE_MEGABYTES = 104

vars().update(celery_settings(IN_PROCESS))

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = "Haggis <haggis@localhost>"
PASSWORD_RESET_TIMEOUT = 24 * 3600

# Allowed failed log-ins within the window: for an account from one address, for an account from addresses
# from which nobody has logged in to it, and from one address. Codes of second factors have stricter limits.
# The database counts, so the limits hold for all processes and without a cache.
HAGGIS_LOG_IN_WINDOW = 15 * 60
HAGGIS_LOG_IN_ATTEMPTS = {"pair": 10, "account": 100, "address": 100}
HAGGIS_CODE_ATTEMPTS = {"pair": 10, "account": 20, "address": 100}
# Mails within a number of seconds, counted in the same way.
HAGGIS_MAIL_LIMITS = MAIL_LIMITS

# The admin needs a second factor, and logs operators out after this time.
HAGGIS_ADMIN_SECOND_FACTOR = True
SESSION_COOKIE_AGE = 12 * 3600

# The folder of the files of the data set and of archives of players. With a prefix such as
# `/protected-exports/` the proxy sends them (`X-Accel-Redirect`), without one this process.
HAGGIS_EXPORTS_DIR = VAR / "exports"
HAGGIS_EXPORTS_ACCEL = ""

# For so many hours after a guest was banned or suspended, no guest can be created from the same addresses.
HAGGIS_GUEST_BAN_HOURS = 24
