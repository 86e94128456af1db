"""Settings of glibc's malloc: one arena, and a fixed threshold above which memory is mapped.

By default glibc gives threads arenas of their own, up to eight per core, and Django starts a thread for every
request. Arenas fragment and never shrink: a process grew for hours although it used no more memory. glibc
also raises its mmap threshold over time, so that ever larger blocks come from the arenas and fragment them.

One arena is enough, since the threads of a process hold the GIL in turn. The threshold is a compromise:
mapping and unmapping a block costs a page fault for each of its pages, and an AI that searches allocates
arrays of a megabyte or two all the time. With glibc's initial threshold of 128 kB a decision of `hard` took
1.7 times as much CPU time; with 4 MB it takes 1.05 times as much.
"""

import ctypes
from typing import Final

# The constants of <malloc.h>. Setting a threshold also stops glibc from adjusting it.
TRIM_THRESHOLD: Final = -1
MMAP_THRESHOLD: Final = -3
ARENA_MAX: Final = -8
_MMAP_THRESHOLD_BYTES: Final = 4 * 1024 * 1024

MALLOC_OPTIONS: Final = (
    (ARENA_MAX, 1),
    (MMAP_THRESHOLD, _MMAP_THRESHOLD_BYTES),
    (TRIM_THRESHOLD, 2 * _MMAP_THRESHOLD_BYTES),
)


def use_one_arena() -> bool:
    """Limit this process and its forks to one arena; return `False` if the C library is not glibc.

    Call it before the first thread starts: existing arenas stay.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(mallopt(name, value) for name, value in MALLOC_OPTIONS)
