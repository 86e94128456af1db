"""The AI levels by name, weakest first.

>>> list(LEVELS)
['random', 'easy', 'medium', 'hard']
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.ai import easy, hard, medium, random_level
from engine.ai.interface import Chooser
from engine.errors import Malformed

LEVELS: Final[Mapping[str, Chooser]] = MappingProxyType(
    {"random": random_level.choose, "easy": easy.choose, "medium": medium.choose, "hard": hard.choose}
)


def level(name: str) -> Chooser:
    """Return the level with this name."""
    try:
        return LEVELS[name]
    except KeyError:
        detail = f"There is no level {name!r}: there are {', '.join(LEVELS)}."
        raise Malformed("unknown_level", detail, where="level") from None
