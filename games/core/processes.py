"""Values that each process creates for itself, such as background threads."""

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def cached_per_process(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Cache the results of a function in each process; a forked child starts with an empty cache.

    Threads do not survive a fork, so a child needs its own.

    >>> cached_process_id = cached_per_process(os.getpid)
    >>> cached_process_id() == os.getpid()
    True
    """
    cached = functools.cache(function)
    os.register_at_fork(after_in_child=cached.cache_clear)
    return cast("Callable[Parameters, Result]", cached)
