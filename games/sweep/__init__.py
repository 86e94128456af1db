"""Periodic tasks: the sweep, reminders and cleanup."""
