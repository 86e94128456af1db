"""What is done outside requests. A task is one call of a service, and may be lost, late or repeated."""

from games.tasks.mails import send_mail
from games.tasks.sweeping import sweep
from games.tasks.tidying import call_off_matches, forget_attempts, forget_keys
from games.tasks.turns import take_turns

__all__ = ["call_off_matches", "forget_attempts", "forget_keys", "send_mail", "sweep", "take_turns"]
