"""Endpoints that events are sent to."""
