"""Management commands and their helpers."""
