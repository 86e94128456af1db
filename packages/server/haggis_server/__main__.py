"""Run `python -m haggis_server`, which is the command `haggis`."""

from haggis_server import main

main()
