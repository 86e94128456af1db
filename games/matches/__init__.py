"""Matches as they are stored: models, reading, committing an event, timing, the outbox and publishing."""
