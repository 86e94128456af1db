"""The service as `make run` has it, but for the courtesy of AIs, who answer here without waiting."""

from haggis_service.settings.development import *  # noqa: F403  settings are inherited by importing them all

HAGGIS_AI_WAIT_SECONDS = 0
# So that the examples of the contract tell of push messages too.
HAGGIS_PUSH_KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
