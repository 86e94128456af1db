"""What has been put together once is kept, up to a bound; past it all is forgotten and made anew.

One bound for all tables keeps a long-lived worker's memory flat. Forgetting everything is crude but cheap:
the tables refill within a few thousand hands. Who has less memory to give keeps less: with 32 MB instead of
104 the plays of a whole hand not seen before take about five times as long.
"""

from typing import Final

Table = dict[int, tuple[int, ...]]

MOST_WORDS: Final = 13_000_000  # of eight bytes: 104 MB
WORDS_OF_A_MEGABYTE: Final = 125_000
_ENTRY_WORDS: Final = 24  # a place in the table, its key, the tuple
_PLAY_WORDS: Final = 5  # the int and the pointer to it

_tables: Final[list[Table]] = []
_held: Final[list[int]] = [0]
_most: Final[list[int]] = [MOST_WORDS]


def keep_at_most(megabytes: int) -> None:
    """Set the bound for this process."""
    _most[0] = megabytes * WORDS_OF_A_MEGABYTE


def new_table() -> Table:
    """A table of memoised plays, counted and forgotten with the others."""
    table: Table = {}
    _tables.append(table)
    return table


def remember(table: Table, key: int, plays: tuple[int, ...], *, shared: bool = False) -> tuple[int, ...]:
    """Keep `plays` under `key` and give them back; `shared` plays are held by another table too."""
    if _held[0] > _most[0]:
        forget()
    _held[0] += _ENTRY_WORDS + len(plays) * (1 if shared else _PLAY_WORDS)
    table[key] = plays
    return plays


def forget() -> None:
    """Empty every table."""
    for table in _tables:
        table.clear()
    _held[0] = 0


def held() -> int:
    """How much is kept now, in words of eight bytes."""
    return _held[0]
