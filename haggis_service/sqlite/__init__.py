"""Django's way to talk to SQLite, but for one question that it need not ask."""
