"""Measures of the whole service over HTTP, with PostgreSQL."""
