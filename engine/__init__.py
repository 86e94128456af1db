"""The rules of Haggis: cards, combinations, rounds, scores, verifiable deals and records.

The package depends on the standard library only (the AI levels also need numpy). It has no access to a
network, a database or a clock, and never draws random numbers of its own.
"""

from pathlib import Path

from engine._build_guard import refuse_stale_build

refuse_stale_build(Path(__file__).parent)
