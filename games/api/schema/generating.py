"""The document: every route of the API with every method, in two versions of OpenAPI.

3.1 tells of webhooks too; 3.0 is for generators that do not know them. Each is made when it is first asked
for, and stays the same for as long as the process lives.
"""

from collections.abc import Iterator
from functools import cache
from threading import Lock
from typing import Any, Final

from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import is_jsonschema_compliant
from drf_spectacular.settings import patched_settings

from games.api.schema.announced import webhooks
from games.api.schema.components import Components
from games.api.schema.examples import add_examples, problem_examples
from games.api.schema.inspecting import TOKEN
from games.api.schema.links import add_links
from games.api.schema.older import as_older
from games.api.schema.operation import Operation
from games.api.schema.parameters import HEADERS
from games.api.schema.prose import DESCRIPTION, TAGS, TITLE, VERSION
from games.api.view import METHODS, ApiView

Json = dict[str, Any]
Endpoint = tuple[str, str, str, Any]

API: Final = "api/v1/"
THREE_ONE: Final = "3.1.0"
THREE_NULL: Final = "3.0.3"

# Settings of the generator are those of its module, for every thread.
_ONE_AT_A_TIME: Final = Lock()


class Contract(SchemaGenerator):
    """Walks through our own routes; what answers there has to be an `ApiView`, or to be described by one."""

    def get_schema(self, request: Any = None, public: bool = False) -> Json:  # noqa: FBT001, FBT002 -- as the base has it
        """The document, with what the service sends by itself where the version knows of such."""
        components = Components()
        components.registry, components.view = self.registry, ApiView(request=None)
        sent = webhooks(components) if is_jsonschema_compliant() else {}
        made: Json = super().get_schema(request, public)  # type: ignore[no-untyped-call]  # comes so
        return made | {"webhooks": sent} if sent else made

    def _initialise_endpoints(self) -> None:
        self.endpoints: Any = list(endpoints())


def endpoints() -> Iterator[Endpoint]:
    """Every address, how it is written as a route, a method, and the view."""
    for pattern in routes():
        route = str(pattern.pattern)
        view = view_of(pattern)
        for method in METHODS:
            if hasattr(view, method.lower()):
                yield _address(route), route, method, view.as_view()


def routes() -> list[URLPattern]:
    """The routes of the API that lead somewhere and belong to the contract."""
    ours: list[Any] = get_resolver("games.api.urls").url_patterns
    return [each for each in ours if each.name and not getattr(each.callback, "is_no_part", False)]


def view_of(pattern: URLPattern) -> type[ApiView]:
    """The view at a route; a plain function names the one that it is described by."""
    callback: Any = pattern.callback
    found: type[ApiView] = getattr(callback, "described_by", None) or callback.cls
    return found


def _operations() -> Iterator[Operation]:
    for pattern in routes():
        yield from view_of(pattern).operations.values()


def _address(route: str) -> str:
    """`matches/<id:match_id>` as clients write it."""
    parts = (part.rpartition(":")[2] if part.startswith("<") else part for part in route.split("/"))
    return f"/{API}" + "/".join(f"{{{part[:-1]}}}" if part.endswith(">") else part for part in parts)


@cache
def document(version: str = THREE_ONE) -> Json:
    """The whole contract."""
    settings = {
        "OAS_VERSION": version,
        "TITLE": TITLE,
        "VERSION": VERSION,
        "DESCRIPTION": DESCRIPTION,
        "COMPONENT_SPLIT_REQUEST": True,
        "POSTPROCESSING_HOOKS": [],
        "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
        "SERVERS": [{"url": "/", "description": "The server that this document was read from"}],
        "TAGS": [{"name": tag.name, "description": tag.description} for tag in TAGS],
        "LICENSE": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
    }
    with _ONE_AT_A_TIME, patched_settings(settings):
        made = Contract().get_schema(public=True)  # type: ignore[no-untyped-call]  # comes so
    add_links(made["paths"], _operations())
    add_examples(made["paths"])
    made["components"] |= _shared(made["paths"])
    return made if version == THREE_ONE else as_older(made)


def _shared(paths: Json) -> Json:
    """What operations refer to: headers, an example of every code that is used, how to authenticate."""
    scheme = {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <token>`"}
    answers = [
        answer
        for methods in paths.values()
        for operation in methods.values()
        for answer in operation["responses"].values()
    ]
    used = {code for answer in answers for code in answer.get("x-codes", ())}
    return {"headers": HEADERS, "examples": problem_examples(used), "securitySchemes": {TOKEN: scheme}}
