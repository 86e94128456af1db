"""The schemas in both documents are ones that every generator can hold."""

from typing import Any

import pytest

from games.api.schema.document import OPENAPI_30, OPENAPI_31, document
from games.api.serializers import Card
from tests.games.api.schema.test_document import VERSIONS, subschemas


def schemas(version: str) -> Any:
    return document(version)["components"]["schemas"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_card_is_one_string_schema_that_every_list_of_cards_refers_to(version: str) -> None:
    assert schemas(version)["Card"] == {"type": "string", **Card.schema_extra}
    patterns = [
        at
        for at, each in subschemas(document(version))
        if each.get("pattern") == Card.schema_extra["pattern"]
    ]
    assert patterns == ["/components/schemas/Card"]
    for name, member in (("LegalGroup", "cheapest"), ("PlayRequest", "cards"), ("Hand", "cards")):
        assert schemas(version)[name]["properties"][member]["items"] == {"$ref": "#/components/schemas/Card"}


@pytest.mark.parametrize("version", VERSIONS)
def test_no_member_of_an_object_has_a_default_in_place(version: str) -> None:
    """Check that openapi-typescript with its defaults leaves every optional member optional."""
    for name, schema in schemas(version).items():
        for member, given in schema.get("properties", {}).items():
            assert "default" not in given, f"{name}.{member}"
    default = schemas(version)["MatchRequest"]["properties"]["turn_seconds"]
    assert default == {"$ref": "#/components/schemas/MatchRequestTurnSeconds"}
    assert schemas(version)["MatchRequestTurnSeconds"]["default"] == 259_200


@pytest.mark.parametrize("version", VERSIONS)
def test_every_property_is_described(version: str) -> None:
    """Check that it has a description or refers to a schema with one; fields take theirs from `help_text`."""
    undescribed = [
        f"{name}.{member}"
        for name, schema in schemas(version).items()
        for member, given in schema.get("properties", {}).items()
        if not given.get("description")
        and not schemas(version).get(given.get("$ref", "").rpartition("/")[2], {}).get("description")
    ]
    assert undescribed == []


@pytest.mark.parametrize("version", VERSIONS)
def test_every_schema_is_described(version: str) -> None:
    assert [name for name, schema in schemas(version).items() if not schema.get("description")] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_variants_with_a_discriminator_are_named_in_its_mapping(version: str) -> None:
    unions = {name: each for name, each in schemas(version).items() if "discriminator" in each}
    assert {"ActionRequest", "SeatRequest", "Happening"} <= unions.keys()
    for name, union in unions.items():
        mapping = union["discriminator"]["mapping"]
        assert sorted(mapping.values()) == sorted(each["$ref"] for each in union["oneOf"]), name
        for value, reference in mapping.items():
            variant = schemas(version)[reference.rpartition("/")[2]]
            assert variant["properties"][union["discriminator"]["propertyName"]]["enum"] == [value]
            assert union["discriminator"]["propertyName"] in variant["required"]


@pytest.mark.parametrize("version", VERSIONS)
def test_bodies_of_links_and_scopes_are_extensions_that_validators_accept(version: str) -> None:
    for at, each in subschemas(document(version)["paths"]):
        if "/links/" in at:
            assert not isinstance(each.get("requestBody"), dict), at
    operations = [each for methods in document(version)["paths"].values() for each in methods.values()]
    assert {
        scope for each in operations for need in each["security"] for scope in need.get("token", ())
    } == set()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_webhooks_are_callbacks_of_the_operation_that_creates_an_endpoint(version: str) -> None:
    callbacks = document(version)["paths"]["/api/v1/me/webhooks"]["post"]["callbacks"]
    webhooks = document(OPENAPI_31)["webhooks"]
    assert callbacks.keys() == webhooks.keys()
    for name, callback in callbacks.items():
        [(url, methods)] = callback.items()
        assert url == "{$request.body#/url}"
        assert methods["post"]["requestBody"] == webhooks[name]["post"]["requestBody"]
        [content] = methods["post"]["requestBody"]["content"].values()
        assert content["schema"]["$ref"].rpartition("/")[2] in schemas(OPENAPI_30)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_document_names_contact_licence_and_guides(version: str) -> None:
    info = document(version)["info"]
    assert info["license"]["name"] == "MIT"
    assert info["contact"]["url"] == document(version)["externalDocs"]["url"]
    assert document(version)["externalDocs"]["url"].endswith("/docs/")
