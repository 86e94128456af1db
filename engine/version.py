"""Define the version of all packages: the engine, the server and the clients are released together."""

from typing import Final

# The contract has the same version: the patch number grows with better descriptions and corrections, the
# minor number with additions. Nothing that clients rely on is removed within v1.
VERSION: Final = "1.0.0"
