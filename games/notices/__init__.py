"""Notices: what happens to a player apart from matches, in the order of the log."""
