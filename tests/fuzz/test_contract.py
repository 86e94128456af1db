"""The running service against its contract: whatever fits it, what does not, and one thing after another."""

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
# The full run tries the boundaries of every operation first.
FULL_RUN_SECONDS: Final = 300
# What succeeds with the token of a mail alone.
NEEDS_MAIL_TOKEN: Final = {"confirmEmail", "resetPassword"}
# Everything else succeeds now and then; on a machine that is busy some may not come to it.
MAX_NEVER_SUCCEEDED: Final = 5

CONFIGURATION: Final = Path(__file__).with_name("schemathesis.toml")


def runs() -> list[list[str]]:
    """What to try, and how much of it: boundaries, whatever is drawn, one thing after another.

    A few examples of each operation at a time, and again until the time is up: so all have their turn.
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
    """The contract, with bodies of links taken as they are: mixed with what is drawn they are none."""
    contract: Any = json.loads(CONTRACT.read_text(encoding="utf-8"))
    for methods in contract["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                for link in answer.get("links", {}).values():
                    link["x-schemathesis"] = {"merge_body": False}
    written = folder / "contract.json"
    written.write_text(json.dumps(contract), encoding="utf-8")
    return written


def operations() -> list[str]:
    paths = json.loads(CONTRACT.read_text(encoding="utf-8"))["paths"]
    return [operation["operationId"] for methods in paths.values() for operation in methods.values()]


@pytest.mark.timeout(SECONDS * 3 + 600)
def test_the_service_does_what_its_contract_says(tmp_path: Path) -> None:
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
    never_succeeded = set(coverage.never_succeeded(total, operations())) - NEEDS_MAIL_TOKEN
    sys.stdout.write("\n".join([*output_tails, *coverage.summary_lines(total, operations())]))
    sys.stdout.write(
        f"\nnever succeeded: {', '.join(sorted(never_succeeded)) or 'none'}; by mail alone: {sorted(NEEDS_MAIL_TOKEN)}\n"
    )
    assert not failed, "\n".join(failed)
    assert SECONDS < FULL_RUN_SECONDS or len(never_succeeded) <= MAX_NEVER_SUCCEEDED, never_succeeded


def run_schemathesis(contract: Path, site: str, options: list[str], total: Path) -> tuple[int, str]:
    """One run: how it ended, and what it said."""
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
