"""The Django app: who plays, and what is kept of it."""
