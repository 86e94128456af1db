"""A part of `make generators`: the validators, and one generated client that plays a match."""

import re
from pathlib import Path

import pytest

from tools import generator_matrix
from tools.generator_matrix import DOCUMENTS, PAGE, VALIDATORS, YES
from tools.generators import catalog, toolchain
from tools.generators.catalog import GENERATORS

pytestmark = [pytest.mark.timeout(600), pytest.mark.needs("node", "java")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
@pytest.mark.parametrize("validator", VALIDATORS)
def test_contract_passes_other_validators_without_warnings(document: Path, validator: str) -> None:
    toolchain.FOLDER.mkdir(parents=True, exist_ok=True)
    VALIDATORS[validator](document)


def test_generated_fetch_client_compiles_and_plays_a_match(site: str) -> None:
    [generator] = [each for each in GENERATORS if each.name == "typescript-fetch"]
    toolchain.FOLDER.mkdir(parents=True, exist_ok=True)
    folder = toolchain.FOLDER / "tested"
    catalog.generate(generator, DOCUMENTS[0], folder)
    assert generator.compile_client
    generator.compile_client(folder)
    generator_matrix.play(generator, folder, site)


def test_the_page_shows_every_generator_and_validator_as_passed() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in VALIDATORS:
        assert f"| {name} | {YES} | {YES} |" in page
    for generator in GENERATORS:
        assert re.search(rf"\| `{generator.name}` \| {YES} \|", page)
        assert generator.options()[0] in page
    assert generator_matrix.NO not in page
