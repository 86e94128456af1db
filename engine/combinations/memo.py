"""Memoize plays found in parts of a hand, up to a memory limit; when it is exceeded, clear all tables.

A single limit for all tables keeps the memory of a long-lived worker flat. Clearing everything is crude but
cheap: the tables refill within a few thousand hands. A process with less memory can lower the limit: with 32
MB instead of 104, finding the plays of a new full hand takes about five times as long.
"""

from typing import Final

MemoTable = dict[int, tuple[int, ...]]

DEFAULT_WORDS: Final = 13_000_000  # of eight bytes each: 104 MB
WORDS_PER_MEGABYTE: Final = 125_000
_ENTRY_WORDS: Final = 24  # the table slot, the key and the tuple
_PLAY_WORDS: Final = 5  # the int and the pointer to it

_tables: Final[list[MemoTable]] = []
_words_used: Final[list[int]] = [0]
_words_limit: Final[list[int]] = [DEFAULT_WORDS]


def set_memory_limit(megabytes: int) -> None:
    """Set the memory limit for this process."""
    _words_limit[0] = megabytes * WORDS_PER_MEGABYTE


def new_table() -> MemoTable:
    """Return a new table of memoized plays that counts towards the limit and is cleared with the others."""
    table: MemoTable = {}
    _tables.append(table)
    return table


def store(table: MemoTable, key: int, plays: tuple[int, ...], *, shared: bool = False) -> tuple[int, ...]:
    """Store `plays` under `key` and return them; `shared` plays are also referenced by another table."""
    if _words_used[0] > _words_limit[0]:
        clear_all()
    _words_used[0] += _ENTRY_WORDS + len(plays) * (1 if shared else _PLAY_WORDS)
    table[key] = plays
    return plays


def clear_all() -> None:
    """Clear every table."""
    for table in _tables:
        table.clear()
    _words_used[0] = 0


def words_used() -> int:
    """Return the memory in use, in words of eight bytes."""
    return _words_used[0]
