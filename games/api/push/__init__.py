"""Devices that a player is told things on."""
