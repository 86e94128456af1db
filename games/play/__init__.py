"""Moves, standing orders and resignation."""
