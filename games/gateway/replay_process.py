"""Replay a record in a process of its own, with limits on its time and its memory.

A record of 4 MB takes seconds, which a web server or a worker of AI turns does not have.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings

from games.core.compact_json import load_json
from games.core.errors import Problem
from games.core.strict_json import parse_json
from games.gateway.records import VerdictDocument, verify_record

CPU_SECONDS: Final = 20
WALL_SECONDS: Final = 40
MEMORY_BYTES: Final = 1024**3
# The process gets no secrets from the environment.
_PASSED_ON: Final = ("PATH", "LANG", "HOME", "SYSTEMROOT")
_ROOT: Final = Path(__file__).resolve().parents[2]


def verify_in_process(body: bytes) -> VerdictDocument | None:
    """Return the verdict on the record in a request body, or `None` if the process failed."""
    try:
        completed = subprocess.run(  # noqa: S603 -- a module of this package; the body is its input
            [sys.executable, "-m", __name__],
            input=body,
            capture_output=True,
            cwd=_ROOT,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            timeout=WALL_SECONDS,
            check=True,
        )
        verdict: VerdictDocument = load_json(completed.stdout)
    except (subprocess.SubprocessError, OSError, ValueError):
        return None
    return verdict


def verify_body(body: bytes) -> VerdictDocument:
    """Return the verdict on a request body; any fault of the body makes the record invalid."""
    try:
        value = parse_json(body)
    except Problem as problem:
        return _invalid(problem.code, str(problem.detail))
    if not isinstance(value, dict) or value.keys() != {"record"} or not isinstance(value["record"], dict):
        return _invalid("validation_error", "The body must be an object with the record as its only member.")
    return verify_record(value["record"])


def _invalid(code: str, detail: str) -> VerdictDocument:
    return {"valid": False, "where": "", "code": code, "detail": detail}


def _limit_resources() -> None:
    """Limit CPU time and memory, where the system can, and yield to other processes."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 -- not on every system

        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        os.nice(10)


if __name__ == "__main__":
    settings.configure(USE_I18N=False)  # the process knows no settings; verdicts are in English
    _limit_resources()
    sys.stdout.write(json.dumps(verify_body(sys.stdin.buffer.read())))
