"""Base classes and helpers shared by all endpoints of API v1."""
