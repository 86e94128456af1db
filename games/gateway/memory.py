"""Limit the memory that each process uses for the engine's memoized plays."""

from engine.combinations.memo import set_memory_limit

__all__ = ["set_memory_limit"]
