"""Statistics of players."""
