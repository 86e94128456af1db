"""Play on a server in the terminal: `python -m examples.online http://127.0.0.1:8000`."""

import sys

from examples.online.app import Terminal
from examples.online.seat import Seat

if __name__ == "__main__":
    Terminal(Seat.take(sys.argv[1])).run()
