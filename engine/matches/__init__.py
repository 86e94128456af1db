"""Play a match: round after round until it is won."""
