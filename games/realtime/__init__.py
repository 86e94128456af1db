"""Event streams and long polls, served on one event loop."""
