"""The running service against its contract: whatever fits it, what does not, and one thing after another."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients.serving import served
from tests.fuzz import reach
from tools.build_clients import CONTRACT, ROOT

SECONDS: Final = int(os.environ.get("HAGGIS_FUZZ_SECONDS", "20"))
# The full run tries the boundaries of every operation first.
SECONDS_FOR_EVERYTHING: Final = 300
# What succeeds with the token of a mail alone.
BY_MAIL: Final = {"confirmEmail", "resetPassword"}
# Everything else succeeds now and then; on a machine that is busy some may not come to it.
MOST_UNREACHED: Final = 5

CONFIGURATION: Final = Path(__file__).with_name("schemathesis.toml")


def runs() -> list[list[str]]:
    """What to try, and how much of it: boundaries, whatever is drawn, one thing after another.

    A few examples of each operation at a time, and again until the time is up: so all have their turn.
    """
    if SECONDS < SECONDS_FOR_EVERYTHING:
        return [["--phases", "fuzzing,stateful", "--max-examples", "1"]]
    third, sixth = ["--max-time", str(SECONDS // 3)], ["--max-time", str(SECONDS // 6)]
    return [
        ["--phases", "coverage", *third],
        *2 * [["--phases", "fuzzing", "--max-examples", "4", *sixth]],
        ["--phases", "stateful", *third],
    ]


def written_for_links(folder: Path) -> Path:
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
    contract = written_for_links(tmp_path)
    reached: reach.Reached = {}
    said, failed = [], []
    for number, wanted in enumerate(runs()):
        with served(tmp_path / f"data{number}") as site:
            code, output = tried(contract, site, wanted, tmp_path / "reach.json")
        said.append(output[-1500:])
        failed += [output[-20000:]] if code else []
        for name, counts in reach.read(tmp_path / "reach.json").items():
            reached[name] = reached.get(name, Counter()) + counts
    never = set(reach.unreached(reached, operations())) - BY_MAIL
    sys.stdout.write("\n".join([*said, *reach.lines(reached, operations())]))
    sys.stdout.write(
        f"\nnever succeeded: {', '.join(sorted(never)) or 'none'}; by mail alone: {sorted(BY_MAIL)}\n"
    )
    assert not failed, "\n".join(failed)
    assert SECONDS < SECONDS_FOR_EVERYTHING or len(never) <= MOST_UNREACHED, never


def tried(contract: Path, site: str, wanted: list[str], reached: Path) -> tuple[int, str]:
    """One run: how it ended, and what it said."""
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIGURATION)]
    done = subprocess.run(
        [*command, "run", str(contract), "--url", site, "--checks", "all", *wanted],
        cwd=contract.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT), reach.VARIABLE: str(reached)},
        check=False,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr
