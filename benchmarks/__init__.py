"""Measures: each compares in one run and prints the ratio."""
