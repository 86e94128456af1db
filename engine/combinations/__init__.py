"""Combinations: what cards can be, what beats what, which one is meant."""
