"""The door for WSGI servers. A server is production unless its environment says otherwise."""

import os

from django.core.wsgi import get_wsgi_application

from haggis_service.lasting import load, set_aside

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

application = get_wsgi_application()
load()
set_aside()
