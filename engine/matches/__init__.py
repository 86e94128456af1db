"""Round after round until the match is won."""
