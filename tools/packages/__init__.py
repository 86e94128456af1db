"""Build the packages to publish: haggis-engine, haggis-server, haggis-client and @haggis/client."""
