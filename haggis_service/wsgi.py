"""The WSGI entry point. It uses the production settings unless DJANGO_SETTINGS_MODULE says otherwise."""

import os

from django.core.wsgi import get_wsgi_application

from haggis_service.gc_freeze import freeze_loaded_objects, load_url_patterns

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.production")

application = get_wsgi_application()
load_url_patterns()
freeze_loaded_objects()
