"""How forms and shapes become components: by the framework's mapping, and what that does not know."""

from typing import Any, Final, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, append_meta, safe_ref
from rest_framework import serializers

from games.api.schema.fields import Union
from games.api.schema.operation import Page, Part
from games.api.schema.parameters import page_schema
from games.api.shapes import Shape

Json = dict[str, Any]
Direction = Literal["request", "response"]

REQUEST: Final[Direction] = "request"
RESPONSE: Final[Direction] = "response"


class Components(AutoSchema):
    """Registers components, and gives references to them."""

    def point_to(self, form: Part, direction: Direction) -> Json:
        """Register whatever this is made of, and refer to it."""
        match form:
            case Union():
                return self._union(form, direction)
            case Page():
                return self._page(form)
            case None:
                return {}
            case _:
                ref: Json = self.resolve_serializer(form, direction).ref
                return ref

    def _page(self, page: Page) -> Json:
        name = f"{name_of(page.of)}Page"
        return self._registered(name, page_schema(self.point_to(page.of, RESPONSE), name))

    def _enumeration(self, field: Any) -> Json:
        schema = {"type": "string", "enum": list(field.choices), "description": field.meaning}
        return self._registered(field.component, schema)

    def _union(self, union: Union, direction: Direction) -> Json:
        """Refer to the forms, and to each by its value of the member that tells them apart."""
        refs = {value: self.point_to(form, direction) for value, form in union.forms.items()}
        schema: Json = {"description": union.meaning, "oneOf": list(refs.values())}
        if union.told_by:
            mapping = {value: ref["$ref"] for value, ref in refs.items()}
            schema["discriminator"] = {"propertyName": union.told_by, "mapping": mapping}
        return self._registered(union.component + ("Request" if direction == REQUEST else ""), schema)

    def resolve_serializer(self, serializer: Any, direction: Direction, *options: Any, **more: Any) -> Any:
        """Know the shapes that are told of kind by kind."""
        if hasattr(serializer, "described_as"):
            union = serializer.described_as()
            name = self._union(union, direction)["$ref"].rpartition("/")[2]
            return self.registry[name, ResolvedComponent.SCHEMA]
        return super().resolve_serializer(serializer, direction, *options, **more)

    def _registered(self, name: str, schema: Json) -> Json:
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)
        self.registry.register_on_missing(component)
        ref: Json = component.ref
        return ref

    def get_serializer_name(self, serializer: serializers.BaseSerializer[Any], direction: Direction) -> str:
        """`TableForm` is the component `Table`, and `JoinShape` the component `JoinRequest`."""
        return name_of(type(serializer))

    def _map_serializer_field(self, field: Any, direction: Direction, *options: Any, **more: Any) -> Any:
        """Know our own fields, and what a field says of itself beyond what the framework reads."""
        ours = self._our_own(field, direction)
        if ours is not None:
            meta: Json = self._get_serializer_field_meta(field, direction)  # type: ignore[no-untyped-call]  # comes so
            meta.pop("minLength", None)
            return append_meta(ours, meta)
        mapped: Json | None = super()._map_serializer_field(field, direction, *options, **more)  # type: ignore[no-untyped-call]  # comes so
        if mapped is None:
            return None
        mapped.pop("x-spec-enum-id", None)
        return getattr(field, "schema_extra", {}) | mapped

    def _our_own(self, field: Any, direction: Direction) -> Json | None:
        if isinstance(field, Union):
            return self._union(field, direction)
        return self._enumeration(field) if hasattr(field, "component") else None

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> Json:
        """Close the bodies of requests, and say what counts where a member is left out."""
        made: Json = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # comes so
        shape = serializer if isinstance(serializer, type) else type(serializer)
        if issubclass(shape, Shape):
            made |= {"additionalProperties": False, **getattr(shape, "schema_extra", {})}
            made.setdefault("properties", {})
            for name, value in shape.defaults.items():
                made["properties"][name] = safe_ref({**made["properties"][name], "default": value})
        return made


def name_of(serializer: type[Any]) -> str:
    """What a form or a shape is called among the components."""
    return serializer.__name__.removesuffix("Form").removesuffix("Shape")
