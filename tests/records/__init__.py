"""Recorded whole matches, and the program that recorded them.

`python -m tests.records` writes missing files and never changes existing ones: a record that was valid once
must stay valid in both formats.
"""
