"""Fixtures for the samples of the documentation."""

from tests.clients.conftest import python_client, site

__all__ = ["python_client", "site"]
