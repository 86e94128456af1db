"""Clients of other languages, generated from the published contract with openapi-generator."""
