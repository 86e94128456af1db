"""Benchmarks. Each compares alternatives in one run and prints ratios."""
