"""Deletion and export of personal data."""
