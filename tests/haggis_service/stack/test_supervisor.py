"""The supervisor restarts processes and stops all of them together."""

import signal
import sys
import time
from collections.abc import Iterator

import pytest

from haggis_service.stack import supervisor
from haggis_service.stack.supervisor import SupervisedProcess, stop_all
from tests.support.processes import minimal_environment, wait_for


@pytest.fixture(autouse=True)
def restart_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RESTART_DELAY_SECONDS", 0.05)


@pytest.fixture
def programs() -> Iterator[list[SupervisedProcess]]:
    programs: list[SupervisedProcess] = []
    yield programs
    stop_all(programs)


def start_program(programs: list[SupervisedProcess], name: str, code: str) -> SupervisedProcess:
    supervised = SupervisedProcess(name, [sys.executable, "-u", "-c", code], minimal_environment())
    programs.append(supervised)
    supervised.start()
    return supervised


def all_exited(programs: list[SupervisedProcess]) -> bool:
    return all(each.process is not None and each.process.poll() is not None for each in programs)


def test_output_is_prefixed_with_the_process_name(
    programs: list[SupervisedProcess], capsys: pytest.CaptureFixture[str]
) -> None:
    start_program(
        programs,
        "speaker",
        "import sys, time; print('here'); print('there', file=sys.stderr); time.sleep(60)",
    )
    output = ""

    def has_two_lines() -> bool:
        nonlocal output
        output += capsys.readouterr().out
        return output.count("\n") == 2

    wait_for("two lines", has_two_lines)
    assert sorted(output.splitlines()) == ["speaker    | here", "speaker    | there"]


def test_process_that_exits_is_restarted(programs: list[SupervisedProcess]) -> None:
    supervised = start_program(programs, "killed", "import time; time.sleep(60)")
    wait_for("a start", lambda: supervised.process is not None)
    first = supervised.process
    assert first is not None
    first.kill()
    wait_for("another start", lambda: supervised.process is not None and supervised.process.pid != first.pid)


def test_stop_all_terminates_and_does_not_restart(programs: list[SupervisedProcess]) -> None:
    for number in range(3):
        start_program(programs, f"ending-{number}", "import time; time.sleep(60)")
    wait_for("the starts", lambda: all(each.process is not None for each in programs))
    started = time.monotonic()
    stop_all(programs)
    assert time.monotonic() - started < supervisor.STOP_TIMEOUT_SECONDS
    assert all_exited(programs)
    time.sleep(0.2)
    assert all_exited(programs)


def test_process_that_ignores_sigterm_is_killed(
    programs: list[SupervisedProcess], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "STOP_TIMEOUT_SECONDS", 0.5)
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('stubborn'); time.sleep(60)"
    supervised = start_program(programs, "stubborn", code)
    wait_for("the signal to be ignored", lambda: "stubborn" in capsys.readouterr().out)
    stop_all(programs)
    assert supervised.process is not None
    assert supervised.process.returncode == -signal.SIGKILL
