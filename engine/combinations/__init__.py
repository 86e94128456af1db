"""Combinations: what cards can form, what beats what, and which reading a player means."""
