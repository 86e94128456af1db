"""Tests of what cards can be, and what beats what."""
