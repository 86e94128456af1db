"""An AI that is slow, or that fails: given to workers by `--include`, ruled by HAGGIS_ODD_AI.

`slow` thinks for a second; `fails` always does; `deadly` kills the process that it thinks in, now and then.
"""

import os
import signal
import time
from random import SystemRandom
from typing import Any

from games.gateway.ai import choose
from games.services import automatic

_fault = os.environ.get("HAGGIS_ODD_AI", "")
# The system's: the state of any other is the same in every process that a worker forks, and so is their fate.
_rng = SystemRandom()


def faulty_choose(view: Any, level: str) -> Any:
    """Choose, oddly."""
    if _fault == "slow":
        time.sleep(1)
    if _fault == "fails":
        raise RuntimeError("it was asked to fail")
    if _fault == "deadly" and _rng.random() < 0.1:
        os.kill(os.getpid(), signal.SIGKILL)
    return choose(view, level)


vars(automatic)["choose"] = faulty_choose
