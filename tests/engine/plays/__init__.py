"""Tests of the legal plays of a hand."""
