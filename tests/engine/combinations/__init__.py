"""Tests of the readings of cards, and of what beats what."""
