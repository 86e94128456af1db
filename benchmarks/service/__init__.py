"""Benchmarks of the whole service over HTTP, with PostgreSQL."""
