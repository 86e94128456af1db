"""Memoize plays found in parts of a hand, up to a memory limit; when it is exceeded, clear all tables.

A single limit for all tables keeps the memory of a long-lived worker flat. Clearing everything is crude but
cheap: the tables refill within a few thousand hands. A process with less memory can lower the limit: with 32
MB instead of 104, finding the plays of a new full hand takes about five times as long.
"""

from typing import Final

Table = dict[int, tuple[int, ...]]

MOST_WORDS: Final = 13_000_000  # of eight bytes each: 104 MB
WORDS_OF_A_MEGABYTE: Final = 125_000
_ENTRY_WORDS: Final = 24  # the table slot, the key and the tuple
_PLAY_WORDS: Final = 5  # the int and the pointer to it

_tables: Final[list[Table]] = []
_held: Final[list[int]] = [0]
_most: Final[list[int]] = [MOST_WORDS]


def keep_at_most(megabytes: int) -> None:
    """Set the memory limit for this process."""
    _most[0] = megabytes * WORDS_OF_A_MEGABYTE


def new_table() -> Table:
    """Return a new table of memoized plays that counts towards the limit and is cleared with the others."""
    table: Table = {}
    _tables.append(table)
    return table


def remember(table: Table, key: int, plays: tuple[int, ...], *, shared: bool = False) -> tuple[int, ...]:
    """Store `plays` under `key` and return them; `shared` plays are also referenced by another table."""
    if _held[0] > _most[0]:
        forget()
    _held[0] += _ENTRY_WORDS + len(plays) * (1 if shared else _PLAY_WORDS)
    table[key] = plays
    return plays


def forget() -> None:
    """Clear every table."""
    for table in _tables:
        table.clear()
    _held[0] = 0


def held() -> int:
    """Return the memory in use, in words of eight bytes."""
    return _held[0]
