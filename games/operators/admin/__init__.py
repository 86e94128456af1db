"""The operators' admin: what goes on, and what may be done about it, with a reason that is kept."""
