"""The frame that every endpoint of API v1 shares."""
