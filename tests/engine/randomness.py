"""Random numbers that are the same in every run."""

from random import Random


def seeded(seed: object) -> Random:
    """Return a generator with this seed, independent of what ran before."""
    return Random(str(seed))
