"""How a process takes memory from the system: from one heap, and large pieces each by itself.

Left alone, the C library of Linux gives threads heaps of their own, up to eight for each core, and Django has
a new thread for every request. Each heap keeps what it was once given, with holes between what is still in
use: such a process grew for hours while no more of its memory was in use. And it learns to take larger and
larger pieces from those heaps, where the small ones that outlive them leave holes that nothing fits.

One heap is enough, since the threads of a process take turns anyway. What counts as large is a compromise:
taking a piece from the system and giving it back costs a fault for each of its pages, and an AI that searches
takes arrays of a megabyte or two all the time. With pieces of 128 kB taken so, where the C library begins, a
decision of `hard` cost 1.7 times as much CPU; with those of 4 MB alone, 1.05 times.
"""

import ctypes
from typing import Final

# As <malloc.h> numbers them. Said aloud, they stay as they are.
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
    """Have this process, and those that it forks, keep one heap; False where the C library has no such thing.

    Best called before any thread is started: a heap that is there stays.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(mallopt(name, value) for name, value in MALLOC_OPTIONS)
