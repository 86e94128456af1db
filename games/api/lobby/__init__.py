"""The lobby over HTTP: matches made, found, joined and left."""
