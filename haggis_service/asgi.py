"""The door for ASGI servers. A server is production unless its environment says otherwise."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

application = get_asgi_application()
