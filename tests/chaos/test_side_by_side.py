"""A release takes over from the one before it, a process at a time, while everybody plays.

The release before is that which did not have the newest migration yet, so that the tables of the new one are
under the old one for a while: as docs/operate.md has it, "Upgrade without downtime".
"""

import io
import os
import shutil
import subprocess
import tarfile
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.load import Load
from tests.chaos.matches import longest_waits, matches_of_ais, versions
from tests.chaos.servers import ROOT, wait_for
from tests.chaos.stored import check_stored

# Of all requests together, on a machine where the processes that start take the time of those that answer.
LONGEST_SILENCE: Final = 10.0
LONGEST_WAIT_FOR_AN_AI: Final = 60.0

pytestmark = [
    pytest.mark.timeout(1200),
    # What it starts from is an older release, faults included: `make chaos` runs it, `make test` does not.
    pytest.mark.skipif("HAGGIS_SIDE_BY_SIDE" not in os.environ, reason="run by make chaos"),
    pytest.mark.needs("postgresql-programs"),
    pytest.mark.needs("redis-server"),
    pytest.mark.needs("nginx"),
]


def git(*asked: str) -> bytes:
    """What git says of this checkout; the test is left out where there is no history."""
    program = shutil.which("git")
    if program is None:
        pytest.skip("needs git")
    done = subprocess.run([program, *asked], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"needs the history of this checkout: {done.stderr.decode()[:100]}")
    return done.stdout


@pytest.fixture
def release_before(tmp_path: Path) -> Path:
    """The code as it was before the newest migration was written."""
    newest = max((ROOT / "games" / "migrations").glob("0*.py"))
    log = git("log", "--diff-filter=A", "--format=%H", "-1", "--", str(newest))
    if not log.strip():
        pytest.skip(f"needs {newest.name} in the history")
    code = tmp_path / "before"
    with tarfile.open(fileobj=io.BytesIO(git("archive", f"{log.decode().strip()}^"))) as archive:
        archive.extractall(code, filter="data")
    assert not (code / newest.relative_to(ROOT)).exists()
    return code


def longest_silence(load: Load) -> float:
    """The longest time in which not one request was answered."""
    answered = sorted(each.at + each.seconds for each in load.times)
    return max(later - earlier for earlier, later in pairwise(answered))


def test_a_release_takes_over_from_the_one_before_it_and_nobody_notices(
    start_stack: StartStack, release_before: Path
) -> None:
    stack = start_stack(code=release_before)
    with Load(stack.port) as load:
        matches = matches_of_ais(stack, 2, rounds=100)
        load.go_on(20)
        stack.code = ROOT
        stack.prepare()
        load.go_on(20)
        for name in [each for each in stack.running if each != "proxy"]:
            stack.replace(name)
            load.go_on(5)
        before = versions(stack, matches)
        wait_for("the AIs", lambda: versions(stack, matches) > before, LONGEST_WAIT_FOR_AN_AI)
        load.go_on(20)
    found, silence = check_stored(stack, load.moves), longest_silence(load)
    waited = max(longest_waits(stack, matches))
    print(  # noqa: T201 -- for `make chaos`
        f"{len(stack.running) - 1} processes replaced one by one: {len(load.times)} requests answered,"
        f" the longest time without an answer {silence:.1f} s, an AI waited {waited:.1f} s at most;"
        f" {found} moves found; {dict(load.said)}"
    )
    assert load.said.keys() <= {"nothing", "503 unavailable"}
    assert silence < LONGEST_SILENCE
    assert waited < LONGEST_WAIT_FOR_AN_AI
