"""Logs, metrics and health checks for operators."""
