"""Portable records of matches: export, import and verification."""
