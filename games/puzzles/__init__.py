"""Puzzles: decisions from play that have one clearly best choice."""
