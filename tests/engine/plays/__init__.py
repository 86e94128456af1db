"""Tests of every legal play of a hand."""
