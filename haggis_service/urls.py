"""Which address leads where. Nothing is served yet: every address answers 404."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
