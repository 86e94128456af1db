"""The pages and what their samples need."""

from tests.clients.conftest import python_client, site

__all__ = ["python_client", "site"]
