"""Operators: roles, actions on matches and players, the audit log and the admin."""
