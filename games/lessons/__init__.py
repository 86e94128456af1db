"""Lessons: an interactive course in the rules, played on prepared deals. Nothing of it is stored."""
