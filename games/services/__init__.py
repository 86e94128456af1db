"""Verbs: the only writers."""
