"""Train the networks of the levels by self-play."""
