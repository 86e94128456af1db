"""The WSGI entry point. It uses the production settings unless DJANGO_SETTINGS_MODULE says otherwise."""

import os

from django.core.wsgi import get_wsgi_application

from haggis_service.gc_freeze import freeze_loaded_objects, load_url_patterns

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

_django_application = get_wsgi_application()

from haggis_service.serving.request_bodies import drain_unread_bodies  # noqa: E402 -- needs a configured Django
from haggis_service.telemetry.uncaught import log_uncaught_errors  # noqa: E402 -- as above

log_uncaught_errors()
application = drain_unread_bodies(_django_application)
load_url_patterns()
freeze_loaded_objects()
