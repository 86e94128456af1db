"""Matches: the list, the page of one, and what may be done with it."""
