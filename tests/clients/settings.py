"""The settings of `make run`, but AIs move without delay."""

from haggis_service.settings.development import *  # noqa: F403  settings are inherited by importing them all

HAGGIS_AI_WAIT_SECONDS = 0
# Enables push messages for the examples of the contract.
HAGGIS_PUSH_KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
