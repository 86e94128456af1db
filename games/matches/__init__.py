"""Matches as they are stored: read by `store`, changed by `commit`, announced by `publish`."""
