"""Models of matches."""
