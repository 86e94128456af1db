"""Record the published surface: `python -m tests.surface.record`. PostgreSQL must be running."""

import os
import subprocess
import sys
from pathlib import Path

from tests.surface.snapshot import FOLDER, RECORDING


def main() -> int:
    """Run the tests of this package in recording mode."""
    environment = os.environ | {RECORDING: "1", "HAGGIS_REQUIRE": "postgresql"}
    command = [sys.executable, "-m", "pytest", "--quiet", str(Path(__file__).parent)]
    status = subprocess.run(command, env=environment, check=False).returncode
    if status == 0:
        sys.stdout.write(f"Recorded in {FOLDER}. Describe intended changes in CHANGELOG.md.\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
