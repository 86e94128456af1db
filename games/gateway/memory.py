"""How much the engine may keep of hands that it has seen, in each process."""

from engine.combinations.memo import keep_at_most

__all__ = ["keep_at_most"]
