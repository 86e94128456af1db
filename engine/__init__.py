"""The rules of Haggis: cards, combinations, rounds, scores, fair deals and records.

The standard library is enough. Nothing in here knows of a network, a database or a clock, and nothing draws
random numbers of its own.
"""

from pathlib import Path

from engine._build_guard import refuse_stale_build

refuse_stale_build(Path(__file__).parent)
