"""The catalogue of webhook messages: each type has a schema, a recorded example and a section in the guide.

`HAGGIS_RECORD_EVENTS=1` records the examples and the sections again, from messages of a real service.
"""

import json
import os
import re
from pathlib import Path
from typing import Any, Final

import pytest

from games.api.schema.document import document
from games.notifications.event_schemas import EXAMPLES, MEANINGS, event_examples, event_serializers
from games.notifications.serializers import WEBHOOK_TYPES
from tests.games.notifications.every_event import send_everything
from tests.support.contract import schema_errors

RECORDING: Final = "HAGGIS_RECORD_EVENTS"
GUIDE: Final = Path(__file__).parents[3] / "docs" / "webhooks.md"
CATALOGUE: Final = re.compile(r"(?<=<!-- catalogue -->\n).*(?=<!-- end of the catalogue -->)", re.DOTALL)
TYPES: Final = (*WEBHOOK_TYPES, "test")


def content_of(type_: str) -> Any:
    """Return the schema and the example of a type in the document."""
    return document()["webhooks"][type_]["post"]["requestBody"]["content"]["application/json"]


def violations(type_: str, message: Any) -> list[str]:
    """Return what is wrong with a message; members that the schema does not name are wrong too."""
    name = content_of(type_)["schema"]["$ref"].rpartition("/")[2]
    return schema_errors(name, message)


def sections() -> str:
    """Return the catalogue of the guide."""
    return "".join(
        f"### `{type_}`\n\n{MEANINGS[type_]}\n\n```json\n{formatted(event_examples()[type_])}\n```\n\n"
        for type_ in TYPES
    )


def formatted(message: Any) -> str:
    """Format a message with one line for each member, and short lists and objects on one line."""
    text = json.dumps(message, indent=2, ensure_ascii=False)
    shortened = re.sub(r"[\[{][^\[\]{}]*[\]}]", lambda found: re.sub(r"\s*\n\s*", " ", found[0]), text)
    return re.sub(r"([\[{]) (?=\S)|(?<=\S) ([\]}])", r"\1\2", shortened)


def test_real_messages_of_every_type_match_their_schema(db: None) -> None:
    messages = send_everything()
    if os.environ.get(RECORDING):
        EXAMPLES.write_text(json.dumps(messages, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        event_examples.cache_clear()
        GUIDE.write_text(CATALOGUE.sub(lambda _: "\n" + sections(), GUIDE.read_text("utf-8")), "utf-8")
    assert set(messages) == set(TYPES)
    for type_, message in messages.items():
        assert message["type"] == type_
        assert violations(type_, message) == []
        assert members(message) == members(event_examples()[type_]), type_


def members(message: Any) -> tuple[set[str], ...]:
    """Return the names of the members of a message, of its data, and of its log entry."""
    data = message["data"]
    return set(message), set(data), set(data.get("entry", ()))


@pytest.mark.parametrize("type_", TYPES)
def test_examples_match_the_schema_of_their_type_and_of_no_other(type_: str) -> None:
    example = event_examples()[type_]
    assert violations(type_, example) == []
    other = TYPES[TYPES.index(type_) - 1]
    assert violations(other, example)
    without_data = {name: value for name, value in example.items() if name != "data"}
    assert violations(type_, without_data)


def test_the_document_has_a_request_with_an_example_for_each_type() -> None:
    webhooks = document()["webhooks"]
    assert list(webhooks) == list(TYPES)
    names = {request["post"]["operationId"] for request in webhooks.values()}
    assert len(names) == len(TYPES)
    for type_ in TYPES:
        assert content_of(type_)["example"] == event_examples()[type_]


def test_the_document_for_older_generators_has_the_same_requests_as_callbacks() -> None:
    callbacks = document("3.0.3")["paths"]["/api/v1/me/webhooks"]["post"]["callbacks"]
    assert set(callbacks) == set(TYPES)


def test_each_type_has_a_meaning_and_a_serializer() -> None:
    assert set(MEANINGS) == set(TYPES) == set(event_serializers())


def test_the_guide_has_a_section_with_the_example_of_each_type() -> None:
    found = CATALOGUE.search(GUIDE.read_text("utf-8"))
    assert found is not None
    assert found[0].strip() == sections().strip()
