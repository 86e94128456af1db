"""The document itself, as an answer."""

from rest_framework import serializers

from games.api.schema.fields import Form
from games.api.shapes import Text


class DocumentForm(Form):
    """An OpenAPI document."""

    openapi = Text()
    info = serializers.DictField()
    servers = serializers.ListField(child=serializers.DictField())
    tags = serializers.ListField(child=serializers.DictField())
    paths = serializers.DictField()
    components = serializers.DictField()
    webhooks = serializers.DictField(required=False)
