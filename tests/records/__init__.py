"""Whole matches as they were once recorded, and the program that recorded them.

`python -m tests.records` writes them. They are there to stay as they are: what was right once is right for
ever, in both forms. So a file that is there already is left alone.
"""
