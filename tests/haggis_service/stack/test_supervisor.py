"""Programs are kept running, and all ended together."""

import signal
import sys
import time
from collections.abc import Iterator

import pytest

from haggis_service.stack import supervisor
from haggis_service.stack.supervisor import SupervisedProcess, stop_all
from tests.chaos.servers import usual_environment, wait_for


@pytest.fixture(autouse=True)
def restart_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RESTART_DELAY_SECONDS", 0.05)


@pytest.fixture
def programs() -> Iterator[list[SupervisedProcess]]:
    programs: list[SupervisedProcess] = []
    yield programs
    stop_all(programs)


def program(programs: list[SupervisedProcess], name: str, code: str) -> SupervisedProcess:
    made = SupervisedProcess(name, [sys.executable, "-u", "-c", code], usual_environment())
    programs.append(made)
    made.start()
    return made


def ended(programs: list[SupervisedProcess]) -> bool:
    return all(each.process is not None and each.process.poll() is not None for each in programs)


def test_what_a_program_says_has_its_name_before_it(
    programs: list[SupervisedProcess], capsys: pytest.CaptureFixture[str]
) -> None:
    program(
        programs,
        "speaker",
        "import sys, time; print('here'); print('there', file=sys.stderr); time.sleep(60)",
    )
    output = ""

    def has_spoken() -> bool:
        nonlocal output
        output += capsys.readouterr().out
        return output.count("\n") == 2

    wait_for("two lines", has_spoken)
    assert sorted(output.splitlines()) == ["speaker    | here", "speaker    | there"]


def test_a_program_that_ends_is_started_again(programs: list[SupervisedProcess]) -> None:
    made = program(programs, "killed", "import time; time.sleep(60)")
    wait_for("a start", lambda: made.process is not None)
    first = made.process
    assert first is not None
    first.kill()
    wait_for("another start", lambda: made.process is not None and made.process.pid != first.pid)


def test_all_are_told_to_end_and_not_started_again(programs: list[SupervisedProcess]) -> None:
    for number in range(3):
        program(programs, f"ending-{number}", "import time; time.sleep(60)")
    wait_for("the starts", lambda: all(each.process is not None for each in programs))
    started = time.monotonic()
    stop_all(programs)
    assert time.monotonic() - started < supervisor.STOP_TIMEOUT_SECONDS
    assert ended(programs)
    time.sleep(0.2)
    assert ended(programs)


def test_who_does_not_listen_is_killed(
    programs: list[SupervisedProcess], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "STOP_TIMEOUT_SECONDS", 0.5)
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf'); time.sleep(60)"
    made = program(programs, "deaf", code)
    wait_for("it to be deaf", lambda: "deaf" in capsys.readouterr().out)
    stop_all(programs)
    assert made.process is not None
    assert made.process.returncode == -signal.SIGKILL
