"""Set up numpy for the levels: array types, and a single thread.

The arrays of one decision are small. Threads of the linear algebra library would cost a worker more than they
save, and would occupy the cores of other workers. The number can be set only before the first import.
"""

import os
from typing import TypeAlias

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Floats", "Ints", "np"]

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
