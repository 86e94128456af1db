"""The ASGI entry point. It uses the production settings unless DJANGO_SETTINGS_MODULE says otherwise.

It serves every request: streams and long polls itself, everything else through Django. In production the
proxy sends it only requests that may wait (`games.realtime.asgi.is_streaming_request`), all others to a WSGI
server.
"""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

_django_application = get_asgi_application()

from games.realtime.asgi import StreamApplication  # noqa: E402 -- needs a configured Django
from haggis_service.serving.request_bodies import BodyReceiver  # noqa: E402 -- as above
from haggis_service.telemetry.uncaught import log_uncaught_errors  # noqa: E402 -- as above

log_uncaught_errors()
streams = StreamApplication(_django_application)
application = BodyReceiver(streams)
