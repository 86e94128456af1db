"""The web pages: shells that the browser fills, by the public API alone."""
