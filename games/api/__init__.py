"""API v1: the frame that every route stands in, and the routes."""
