"""Web pages, which scripts fill in the browser through the public API."""
