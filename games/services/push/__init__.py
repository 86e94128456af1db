"""What players are told by push messages on their devices: an extra, offered where a key for it is set."""
