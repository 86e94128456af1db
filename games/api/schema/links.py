"""Links: which answers hold what other addresses need."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.api.schema.operation import Lead, Operation

Json = dict[str, Any]

_NAME: Final = re.compile(r"\{(\w+)\}")


def add_links(paths: Json, operations: Iterable[Operation]) -> None:
    """Lead from each operation to those that can be asked with what it answers."""
    said = {each.id: each for each in operations}
    addresses = {
        operation["operationId"]: path for path, methods in paths.items() for operation in methods.values()
    }
    for path, methods in paths.items():
        for operation in methods.values():
            links = _links(said[operation["operationId"]], path, addresses)
            if links:
                success = next(answer for status, answer in operation["responses"].items() if status < "300")
                success["links"] = links


def _links(said: Operation, here: str, addresses: Mapping[str, str]) -> Json:
    known = {name: f"$request.path.{name}" for name in _NAME.findall(here)}
    made = known | {name: f"$response.body#{pointer}" for name, pointer in said.makes.items()}
    everywhere = {
        name: _link(Lead(name), made, path)
        for name, path in addresses.items()
        if said.makes.keys() & set(_NAME.findall(path)) and set(_NAME.findall(path)) <= made.keys()
    }
    return everywhere | {lead.to: _link(lead, known, addresses[lead.to]) for lead in said.leads}


def _link(lead: Lead, known: Mapping[str, str], path: str) -> Json:
    """To an operation whose address is filled in from the answer and from the address that was asked."""
    filled = {name: known[name] for name in _NAME.findall(path) if name in known}
    link: Json = {"operationId": lead.to, "parameters": {**filled, **lead.parameters}}
    return link if lead.body is None else link | {"requestBody": lead.body}
