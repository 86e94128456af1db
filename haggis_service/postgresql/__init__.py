"""The database backend for PostgreSQL."""
