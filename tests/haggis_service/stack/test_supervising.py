"""Programs are kept running, and all ended together."""

import signal
import sys
import time
from collections.abc import Iterator

import pytest

from haggis_service.stack import supervising
from haggis_service.stack.supervising import Kept, end_all
from tests.chaos.servers import usual_environment, wait_for


@pytest.fixture(autouse=True)
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervising, "SECONDS_BEFORE_ANOTHER_START", 0.05)


@pytest.fixture
def kept() -> Iterator[list[Kept]]:
    programs: list[Kept] = []
    yield programs
    end_all(programs)


def program(programs: list[Kept], name: str, code: str) -> Kept:
    made = Kept(name, [sys.executable, "-u", "-c", code], usual_environment())
    programs.append(made)
    made.start()
    return made


def ended(programs: list[Kept]) -> bool:
    return all(each.process is not None and each.process.poll() is not None for each in programs)


def test_what_a_program_says_has_its_name_before_it(
    kept: list[Kept], capsys: pytest.CaptureFixture[str]
) -> None:
    program(
        kept, "speaker", "import sys, time; print('here'); print('there', file=sys.stderr); time.sleep(60)"
    )
    said = ""

    def has_spoken() -> bool:
        nonlocal said
        said += capsys.readouterr().out
        return said.count("\n") == 2

    wait_for("two lines", has_spoken)
    assert sorted(said.splitlines()) == ["speaker    | here", "speaker    | there"]


def test_a_program_that_ends_is_started_again(kept: list[Kept]) -> None:
    made = program(kept, "killed", "import time; time.sleep(60)")
    wait_for("a start", lambda: made.process is not None)
    first = made.process
    assert first is not None
    first.kill()
    wait_for("another start", lambda: made.process is not None and made.process.pid != first.pid)


def test_all_are_told_to_end_and_not_started_again(kept: list[Kept]) -> None:
    for number in range(3):
        program(kept, f"ending-{number}", "import time; time.sleep(60)")
    wait_for("the starts", lambda: all(each.process is not None for each in kept))
    begun = time.monotonic()
    end_all(kept)
    assert time.monotonic() - begun < supervising.SECONDS_TO_END
    assert ended(kept)
    time.sleep(0.2)
    assert ended(kept)


def test_who_does_not_listen_is_killed(
    kept: list[Kept], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervising, "SECONDS_TO_END", 0.5)
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf'); time.sleep(60)"
    made = program(kept, "deaf", code)
    wait_for("it to be deaf", lambda: "deaf" in capsys.readouterr().out)
    end_all(kept)
    assert made.process is not None
    assert made.process.returncode == -signal.SIGKILL
