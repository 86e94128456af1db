"""Deadlines, pauses, vacations, reminders and outages."""
