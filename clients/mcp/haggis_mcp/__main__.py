"""Run the server: `python -m haggis_mcp`."""

from haggis_mcp.server import main

main()
