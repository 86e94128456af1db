"""Periodic tasks: the sweep and cleanup."""
