"""PostgreSQL as the service uses it (`base.py`)."""
