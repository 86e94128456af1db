"""The forms of answers."""
