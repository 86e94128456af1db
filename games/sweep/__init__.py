"""The periodic tasks."""
