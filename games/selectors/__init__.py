"""Reads: what is stored, as somebody may see it."""
