"""An AI with a fault, which workers load with `--include`; HAGGIS_FAULTY_AI selects the fault.

`slow` thinks for a second, `fails` always raises an error, and `deadly` sometimes kills its process.
"""

import os
import signal
import time
from random import SystemRandom
from typing import Any

from games.ai import services as ai_services
from games.gateway.ai import choose_action

_fault = os.environ.get("HAGGIS_FAULTY_AI", "")
# SystemRandom, because forked processes would share the state of any other generator.
_rng = SystemRandom()


def faulty_choose(view: Any, level: str, within: float | None) -> Any:
    """Choose an action with the configured fault."""
    if _fault == "slow":
        time.sleep(1)
    if _fault == "fails":
        raise RuntimeError("fails as configured")
    if _fault == "deadly" and _rng.random() < 0.1:
        os.kill(os.getpid(), signal.SIGKILL)
    return choose_action(view, level, within)


vars(ai_services)["choose_action"] = faulty_choose
