"""numpy as the levels use it: the types of arrays, and one thread.

The arrays of one decision are small. Threads of the linear algebra would cost a worker more than they save,
and take the cores of other workers; they can be set before the first import only.
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
