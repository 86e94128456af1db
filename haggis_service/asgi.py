"""The door for ASGI servers. A server is production unless its environment says otherwise.

It serves everything: streams and long polls by themselves, all else through Django. In production the proxy
sends it only what may have to wait (`games.streams.front.may_wait`), and the rest to a WSGI server.
"""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

_django_application = get_asgi_application()

from games.streams.front import Front  # noqa: E402 -- only now is Django set up

application = Front(_django_application)
