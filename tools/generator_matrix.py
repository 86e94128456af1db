"""Check the contract with other people's tools, and write docs/generators.md: `make generators`.

Validates both documents, generates a client with each generator, compiles it and lets it play a whole match
against a running server. What a machine cannot compile is marked as such and does not fail.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.clients.serving import running_server
from tools.build_clients import ROOT
from tools.generators import catalog, toolchain
from tools.generators.catalog import GENERATORS, Generator
from tools.generators.toolchain import FOLDER, MissingProgramError, StepError

DOCUMENTS: Final = (ROOT / "docs/openapi/haggis-3.0.json", ROOT / "docs/openapi/haggis-3.1.json")
PAGE: Final = ROOT / "docs" / "generators.md"
BEGIN, END = "<!-- matrix: make generators -->", "<!-- end of the matrix -->"
RULES: Final = 'extends: ["spectral:oas"]\n'
# What each linter prints about a document without any finding.
CLEAN: Final = {
    "spectral": "No results with a severity",
    "openapi-generator": "No validation issues detected",
}

YES, NO = "yes", "**no**"


@dataclass(frozen=True, slots=True)
class Row:
    """The results of one generator or validator."""

    name: str
    cells: tuple[str, ...]

    @property
    def failed(self) -> bool:
        """Whether a step failed."""
        return NO in self.cells


def attempt(what: str, step: Callable[[], object]) -> str:
    """Run a step, report its failure and return its cell of the table."""
    print(f"  {what} ... ", end="", flush=True)
    try:
        step()
    except MissingProgramError as missing:
        print(f"not on this machine: {missing}", flush=True)
        return f"not here: {missing}"
    except StepError as error:
        print(f"failed\n{error}", flush=True)
        return NO
    print("yes", flush=True)
    return YES


def validate_with_openapi_generator(document: Path) -> None:
    """Validate a document with openapi-generator; warnings are failures."""
    _require_clean("openapi-generator", toolchain.openapi_generator("validate", "-i", str(document)))


def validate_with_redocly(document: Path) -> None:
    """Lint a document with the recommended rules of Redocly; warnings are failures."""
    output = toolchain.run(
        [toolchain.node_program("redocly", *toolchain.LINTERS), "lint", str(document)], toolchain.NODE
    )
    if "warning" in output.lower().replace("deprecation warning", ""):
        raise StepError(output)


def validate_with_spectral(document: Path) -> None:
    """Lint a document with all rules of Spectral for OpenAPI; warnings are failures."""
    program = toolchain.node_program("spectral", *toolchain.LINTERS)
    (toolchain.NODE / "rules.yaml").write_text(RULES, encoding="utf-8")
    command = [program, "lint", "--ruleset", "rules.yaml", "--fail-severity", "hint", str(document)]
    _require_clean("spectral", toolchain.run(command, toolchain.NODE))


def _require_clean(linter: str, output: str) -> None:
    if CLEAN[linter] not in output or "Warnings" in output:
        raise StepError(output)


def generate_types(document: Path) -> None:
    """Generate types with the defaults of openapi-typescript, and compile ordinary requests with them."""
    folder = FOLDER / "openapi-typescript"
    folder.mkdir(parents=True, exist_ok=True)
    program = toolchain.node_program("openapi-typescript", *toolchain.TYPESCRIPT)
    toolchain.run([program, str(document), "--output", "contract.ts"], folder)
    source = (catalog.PROGRAMS / "openapi-typescript" / "requests.ts").read_text(encoding="utf-8")
    (folder / "requests.ts").write_text(source, encoding="utf-8")
    tsc = toolchain.node_program("tsc", *toolchain.TYPESCRIPT)
    options = ["--strict", "--noEmit", "--target", "es2022", "--moduleResolution", "node"]
    toolchain.run([tsc, *options, "--module", "es2022", "--skipLibCheck", "requests.ts"], folder)


VALIDATORS: Final[dict[str, Callable[[Path], None]]] = {
    "openapi-generator validate": validate_with_openapi_generator,
    "Redocly lint, recommended rules": validate_with_redocly,
    "Spectral, `spectral:oas`": validate_with_spectral,
    "openapi-typescript, defaults": generate_types,
}


def validate(documents: Iterable[Path] = DOCUMENTS) -> list[Row]:
    """Validate the documents with every validator."""
    rows = []
    for name, step in VALIDATORS.items():
        cells = tuple(attempt(f"{name}: {each.name}", lambda: step(each)) for each in documents)  # noqa: B023 -- called at once
        rows.append(Row(name, cells))
    return rows


def try_generator(generator: Generator, site: str) -> Row:
    """Generate a client, compile it and let it play a match."""
    folder = FOLDER / generator.name
    print(f"{generator.language} ({generator.name})", flush=True)
    generated = attempt("generate", lambda: catalog.generate(generator, DOCUMENTS[0], folder))
    compiled = played = "not tried"
    if generated == YES and generator.compile_client:
        compiled = attempt("compile", lambda: generator.compile_client and generator.compile_client(folder))
    if compiled == YES and generator.build_player and site:
        played = attempt("play", lambda: play(generator, folder, site))
    return Row(f"{generator.language} | `{generator.name}`", (generated, compiled, played))


def play(generator: Generator, folder: Path, site: str) -> None:
    """Play a whole match with a generated client."""
    if generator.build_player is None:
        raise MissingProgramError("there is no program that plays")
    command, variables = generator.build_player(folder)
    output = toolchain.run([*command, site], folder, **variables)
    if not output.strip().startswith("finished"):
        raise StepError(output)


def table(validated: list[Row], generated: list[Row]) -> str:
    """Format the results as the tables of the page."""
    lines = ["| validator | 3.0 | 3.1 |", "| --- | --- | --- |"]
    lines += [f"| {each.name} | {' | '.join(each.cells)} |" for each in validated]
    lines += [
        "",
        "| language | generator | generated | compiled | played a match |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {each.name} | {' | '.join(each.cells)} |" for each in generated]
    return "\n".join(lines)


def options() -> str:
    """Format the options of every generator."""
    lines = []
    for each in GENERATORS:
        lines += [f"**{each.language}**", "", "```text", f"-g {each.name}", *each.options(), "```", ""]
    return "\n".join(lines).rstrip()


def write(text: str) -> None:
    """Replace the part of the page between the markers."""
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: f"{BEGIN}\n\n{text}\n\n{END}", page), encoding="utf-8")


def main() -> None:
    """Run the matrix and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", help="the names of generators, separated by commas; does not write the page"
    )
    arguments = parser.parse_args()
    chosen = [each for each in GENERATORS if not arguments.only or each.name in arguments.only.split(",")]
    FOLDER.mkdir(parents=True, exist_ok=True)
    print("validation", flush=True)
    validated = [] if arguments.only else validate()
    with tempfile.TemporaryDirectory() as data, running_server(Path(data)) as site:
        generated = [try_generator(each, site) for each in chosen]
    if not arguments.only:
        write(f"{table(validated, generated)}\n\n## Options\n\n{options()}")
        print(PAGE.relative_to(ROOT))
    if any(each.failed for each in [*validated, *generated]):
        raise SystemExit("Some steps failed.")


if __name__ == "__main__":
    main()
