"""The command `haggis`: the service, installed from its package.

`haggis serve` runs everything in one process, as `make run` does in a checkout. Every other argument is a
management command: `haggis migrate`, `haggis appoint`, `haggis verify_matches`.
"""

import os
from pathlib import Path

from haggis_server import manage


def main() -> None:
    """Run one command. Data is stored in ./var, or in the folder that HAGGIS_DATA names."""
    os.environ.setdefault("HAGGIS_DATA", str(Path("var").resolve()))
    manage.main()
