"""What is done outside requests. A task is one call of a service, and may be lost, late or repeated."""

from games.tasks.sweeping import sweep
from games.tasks.turns import take_turns

__all__ = ["sweep", "take_turns"]
