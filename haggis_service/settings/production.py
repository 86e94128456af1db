"""Facing the world: everything comes from the environment, and nothing unsafe is accepted."""

from environ import Env

from haggis_service.settings.base import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.caches import redis_cache
from haggis_service.settings.databases import database
from haggis_service.settings.limits import MOST_MATCHES, MOST_OPEN_MATCHES, limits
from haggis_service.settings.queues import celery_settings
from haggis_service.settings.safety import refuse_unless_safe

env = Env()
refuse_unless_safe(env)

SECRET_KEY = env.str("HAGGIS_SECRET_KEY")
ALLOWED_HOSTS = env.list("HAGGIS_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.list("HAGGIS_TRUSTED_ORIGINS", default=[])

DATABASES = {"default": database(env.str("DATABASE_URL"))}
CACHES = {"default": redis_cache(env.str("REDIS_URL"))}
vars().update(celery_settings(env.str("CELERY_BROKER_URL", default=env.str("REDIS_URL"))))

HAGGIS_LIMITS = limits(env)
HAGGIS_MOST_OPEN_MATCHES = env.int("HAGGIS_MOST_OPEN_MATCHES", default=MOST_OPEN_MATCHES)
HAGGIS_MOST_MATCHES = env.int("HAGGIS_MOST_MATCHES", default=MOST_MATCHES)
HAGGIS_TRUSTED_PROXIES = env.int("HAGGIS_TRUSTED_PROXIES", default=0)
HAGGIS_SITE_ADDRESS = env.str("HAGGIS_SITE_ADDRESS", default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}")

# smtp+tls://user:password@host:587; without it no mail is sent, for a mail holds secrets that no log may.
vars().update(env.email("EMAIL_URL", default="dummymail://"))
DEFAULT_FROM_EMAIL = env.str("HAGGIS_MAIL_FROM", default=f"Haggis <haggis@{ALLOWED_HOSTS[0].lstrip('.')}>")

# Browsers are sent to HTTPS and remember it. Behind a proxy that ends TLS, and that drops this header when a
# client sends it, HAGGIS_BEHIND_TLS_PROXY tells the service to believe it; otherwise it is never believed.
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = env.int("HAGGIS_HSTS_SECONDS", default=365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
if env.bool("HAGGIS_BEHIND_TLS_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
