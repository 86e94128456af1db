"""The running service against its contract: boundaries, random requests and sequences of requests."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients.serving import running_server
from tests.fuzz import coverage
from tools.build_clients import CONTRACT, ROOT

SECONDS: Final = int(os.environ.get("HAGGIS_FUZZ_SECONDS", "20"))
# A full run starts with boundary values of every operation.
FULL_RUN_SECONDS: Final = 300
# Operations that need a token from a mail, or a notice that staff sent.
NEEDS_MAIL_OR_STAFF: Final = {
    "acknowledgeNotice",
    "confirmEmail",
    "resetPassword",
    "testEmail",
    "undoEmailChange",
}
# All others succeed sometimes; on a busy machine some may not.
MAX_NEVER_SUCCEEDED: Final = 5

CONFIGURATION: Final = Path(__file__).with_name("schemathesis.toml")


def runs() -> list[list[str]]:
    """Return the arguments of each run: boundary values, random requests, sequences.

    Each operation gets a few examples at a time until the time is up, so that all get their turn.
    """
    if SECONDS < FULL_RUN_SECONDS:
        return [["--phases", "fuzzing,stateful", "--max-examples", "1"]]
    third, sixth = ["--max-time", str(SECONDS // 3)], ["--max-time", str(SECONDS // 6)]
    return [
        ["--phases", "coverage", *third],
        *2 * [["--phases", "fuzzing", "--max-examples", "4", *sixth]],
        ["--phases", "stateful", *third],
    ]


def contract_with_plain_links(folder: Path) -> Path:
    """Write the contract with bodies of links taken as they are, since merged ones are invalid."""
    contract: Any = json.loads(CONTRACT.read_text(encoding="utf-8"))
    for methods in contract["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                for link in answer.get("links", {}).values():
                    link["x-schemathesis"] = {"merge_body": False}
                    if "x-request-body" in link:
                        link["requestBody"] = link.pop("x-request-body")
    written = folder / "contract.json"
    written.write_text(json.dumps(contract), encoding="utf-8")
    return written


def operations() -> list[str]:
    paths = json.loads(CONTRACT.read_text(encoding="utf-8"))["paths"]
    return [operation["operationId"] for methods in paths.values() for operation in methods.values()]


@pytest.mark.timeout(SECONDS * 3 + 600)
def test_service_conforms_to_its_contract(tmp_path: Path) -> None:
    contract = contract_with_plain_links(tmp_path)
    total: coverage.Coverage = {}
    output_tails, failed = [], []
    for number, options in enumerate(runs()):
        with running_server(tmp_path / f"data{number}") as site:
            code, output = run_schemathesis(contract, site, options, tmp_path / "reach.json")
        output_tails.append(output[-1500:])
        failed += [output[-20000:]] if code else []
        for name, counts in coverage.read(tmp_path / "reach.json").items():
            total[name] = total.get(name, Counter()) + counts
    never_succeeded = set(coverage.never_succeeded(total, operations())) - NEEDS_MAIL_OR_STAFF
    sys.stdout.write("\n".join([*output_tails, *coverage.summary_lines(total, operations())]))
    sys.stdout.write(
        f"\nnever succeeded: {', '.join(sorted(never_succeeded)) or 'none'}"
        f"; need a mail or staff: {sorted(NEEDS_MAIL_OR_STAFF)}\n"
    )
    assert not failed, "\n".join(failed)
    assert SECONDS < FULL_RUN_SECONDS or len(never_succeeded) <= MAX_NEVER_SUCCEEDED, never_succeeded


def run_schemathesis(contract: Path, site: str, options: list[str], total: Path) -> tuple[int, str]:
    """Run schemathesis once; return its exit code and output."""
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIGURATION)]
    completed = subprocess.run(
        [*command, "run", str(contract), "--url", site, "--checks", "all", *options],
        cwd=contract.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT), coverage.VARIABLE: str(total)},
        check=False,
        capture_output=True,
        text=True,
    )
    return completed.returncode, completed.stdout + completed.stderr
